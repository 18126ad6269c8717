import { platformAccount } from '@candela/server/ledger/chart'
import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Scenario } from '../lending-scenario.ts'
import { type Act, type DayPrice, loanHistory, type Part, type Terms } from './loan-history.ts'

/** The conditions that hold at the end of a year, from the ledger's own entries. */

const FIRST_LOAN = 2n ** 41n
const PARTS: Record<number, Part> = { 130: 'collateral', 500: 'principal', 510: 'interest', 520: 'charges' }

type Made = { opened: ReadonlyMap<string, Terms>; acts: ReadonlyMap<string, Act[]> }

/** Every loan's history, computed from its terms, its borrower's acts and the prices, is what the ledger has of it. */
export async function expectHistories(
  lending: Scenario,
  { opened, acts }: Made,
  priceOn: (asset: 'JU' | 'HASH', day: string) => DayPrice,
  until: string,
): Promise<void> {
  const moved = await ledgerOf(lending)
  const loans = await lending.db.selectFrom('loan_with_debt').selectAll().orderBy('id').execute()
  expect(loans.map(({ loan_no }) => loan_no).toSorted()).toEqual([...opened.keys()].toSorted())
  for (const { id, loan_no, collateral_asset } of loans) {
    const terms = opened.get(loan_no)
    if (terms === undefined) continue
    const history = loanHistory(terms, acts.get(loan_no) ?? [], (day) => priceOn(collateral_asset, day), until)
    const about = { terms, acts: acts.get(loan_no) }
    expect({ ...about, moved: sorted(moved.get(id)) }).toEqual({ ...about, moved: sorted(history.moved) })
  }
}

const sorted = (moved: ReadonlyMap<string, bigint> = new Map()): [string, bigint][] =>
  [...moved].toSorted(([one], [other]) => (one < other ? -1 : 1))

/** Reads what the accounts of each loan, and the handling fees of its repayments, moved by, by day and kind. */
async function ledgerOf({ db }: Scenario): Promise<Map<bigint, Map<string, bigint>>> {
  const { rows } = await sql<{ loan: bigint; part: number; kind: string; day: string; amount: bigint }>`
    select account / 100000 - ${FIRST_LOAN} as loan, ((account / 100) % 1000)::integer as part, kind_name as kind,
      day, sum(e.amount)::numeric as amount
    from ledger_entry e
    join (select seq, kind as kind_name, coalesce(memo->>'day', (occurred_at at time zone 'UTC')::date::text) as day
      from ledger_posting) p on p.seq = e.posting
    where account > ${FIRST_LOAN * 100_000n}
    group by 1, 2, 3, 4
    union all
    select l.id, 0, p.kind, (p.occurred_at at time zone 'UTC')::date::text, sum(e.amount)::numeric
    from ledger_posting p join ledger_entry e on e.posting = p.seq join loan l on l.loan_no = p.memo->>'loanNo'
    where p.kind = 'repayment' and e.account = 72002
    group by 1, 2, 3, 4`.execute(db)
  const loans = new Map<bigint, Map<string, bigint>>()
  for (const { loan, part, kind, day, amount } of rows) {
    const name = PARTS[part] ?? 'fees'
    // Debts are below zero in the ledger.
    const grown = part >= 500 ? -amount : amount
    const moved = loans.get(loan) ?? new Map<string, bigint>()
    if (grown !== 0n) moved.set(`${day} ${kind} ${name}`, grown)
    loans.set(loan, moved)
  }
  return loans
}

/** The debt that collateral did not pay is what the reserve and the fund took, loan by loan, and nothing else was taken. */
export async function expectLossesExplained({ db }: Scenario) {
  const deficits = await db.selectFrom('fund_price').selectAll().where('reason', '=', 'deficit').execute()
  const lostBy = new Map(deficits.map((row) => [row.loan_no, row.assets_before - row.assets_after]))
  const sales = await db
    .selectFrom('loan_liquidation')
    .innerJoin('loan', 'loan.id', 'loan_liquidation.loan_id')
    .selectAll('loan_liquidation')
    .select('loan_no')
    .execute()
  const sum = { shortfall: 0n, reservePaid: 0n, fundLost: 0n }
  for (const sale of sales) {
    expect([sale.loan_no, sale.fund_lost]).toEqual([
      sale.loan_no,
      sale.shortfall > 0n ? (lostBy.get(sale.loan_no) ?? 0n) : 0n,
    ])
    // The rest of the shortfall was the reserve's own part of interest and charges.
    expect(sale.reserve_paid + sale.fund_lost).toBeLessThanOrEqual(sale.shortfall)
    sum.shortfall += sale.shortfall
    sum.reservePaid += sale.reserve_paid
    sum.fundLost += sale.fund_lost
  }
  const taken = await kindsOf(db, 'deficit')
  expect(taken['deficit'] ?? 0n).toBe(-sum.shortfall)
  expect(taken['deficit-reserve'] ?? 0n).toBe(sum.reservePaid)
  expect((taken['deficit-fund'] ?? 0n) + (taken['deficit-reserve'] ?? 0n)).toBe(sum.shortfall)
  const reserve = await kindsOf(db, 'reserve')
  expect(
    Object.keys(reserve).every((kind) =>
      ['repayment', 'liquidation', 'deficit-reserve', 'fund-earnings'].includes(kind),
    ),
  ).toBe(true)
  expect(reserve['deficit-reserve'] ?? 0n).toBe(-sum.reservePaid)
  expect([...lostBy.values()].reduce((total, lost) => total + lost, 0n)).toBe(sum.fundLost)
  return { liquidations: sales.length, ...sum }
}

/** Sums what each kind of posting gave to an account of the platform, USDT. */
async function kindsOf(db: Scenario['db'], name: 'deficit' | 'reserve'): Promise<Record<string, bigint>> {
  const { rows } = await sql<{ kind: string; amount: bigint }>`
    select p.kind, sum(e.amount)::numeric as amount from ledger_entry e join ledger_posting p on p.seq = e.posting
    where e.account = ${platformAccount(name, 'USDT')} group by 1`.execute(db)
  return Object.fromEntries(rows.map(({ kind, amount }) => [kind, amount]))
}
