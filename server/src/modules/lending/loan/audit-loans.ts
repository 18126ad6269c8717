import { DAY_MS, PPM } from '@candela/protocol/units'
import { sql } from 'kysely'
import { z } from 'zod'
import { anyOf } from '../../../db/any-of.ts'
import { type Database, transaction, type Tx } from '../../../db/open.ts'
import { queryRows } from '../../../db/query-rows.ts'
import type { Finding } from '../../../ledger/audit/checks.ts'
import { accountBalances, movedBy } from '../../../ledger/balances.ts'
import { type AccountId, loanAccount, platformAccount } from '../../../ledger/chart.ts'
import { auditInterest } from './audit-interest.ts'
import { debtOf, type LoanRow } from './record/loan-record.ts'

const CHUNK = 1_000

/** A loan that ended is looked at for so long. */
const AUDITED_MS = 2 * DAY_MS

/**
 * Compares the rows of loans that are open, or ended not long ago, with the ledger, in steps of one snapshot each: every loan's accounts, its interest with its
 * principal, and what the fund and the reserve are owed in all. Yields what does not agree.
 */
export async function* auditLoansInSteps(db: Database, now: Date): AsyncGenerator<Finding[], void> {
  const inSnapshot = <T>(work: (tx: Tx) => Promise<T>) => transaction(db, work, { isolation: 'repeatable read' })
  for (let after: bigint | null = 0n; after !== null;) {
    const from: bigint = after
    const { last, findings, right } = await inSnapshot((tx) => compareChunk(tx, from, { isNew: true }))
    after = last
    await keepAudited(db, right, now)
    yield findings
  }
  yield await inSnapshot(compareTotals)
}

/** All of it at one instant. Empty is good. */
export const auditLoans = (db: Database): Promise<Finding[]> =>
  transaction(db, compareLoans, { isolation: 'repeatable read' })

/** The same in a transaction that reads one instant. */
export async function compareLoans(tx: Tx): Promise<Finding[]> {
  const all: Finding[] = []
  for (let after: bigint | null = 0n; after !== null;) {
    const { last, findings }: Compared = await compareChunk(tx, after, { isNew: false })
    all.push(...findings)
    after = last
  }
  return [...all, ...(await compareTotals(tx))]
}

async function keepAudited(db: Database, ids: readonly bigint[], now: Date): Promise<void> {
  await db
    .updateTable('loan')
    .set({ audited_at: now })
    .where('id', '=', anyOf(ids))
    .where('closed_at', '<', new Date(now.getTime() - AUDITED_MS))
    .execute()
}

/** `last` is the last loan that was compared, null when none was left; `right` those of which nothing was found. */
type Compared = { last: bigint | null; findings: Finding[]; right: bigint[] }

/** @param isNew only loans that were not yet audited after their end */
async function compareChunk(tx: Tx, after: bigint, { isNew }: { isNew: boolean }): Promise<Compared> {
  const found = await tx
    .selectFrom('loan')
    .select('id')
    .where('id', '>', after)
    .$if(isNew, (query) => query.where('audited_at', 'is', null))
    .orderBy('id')
    .limit(CHUNK)
    .execute()
  const ids = found.map(({ id }) => id)
  const rows = await tx.selectFrom('loan_with_debt').selectAll().where('id', '=', anyOf(ids)).orderBy('id').execute()
  const lines = rows.flatMap(linesOf)
  const balances = await accountBalances(
    tx,
    lines.map(({ account }) => account),
  )
  const ofLines = lines.flatMap(({ part, loanNo, recorded, sign }, place) =>
    differing(`${part} of loan ${loanNo}`, recorded, sign * (balances[place] ?? 0n)),
  )
  const findings = [...ofLines, ...(await auditInterest(tx, rows))]
  const right = rows.filter(({ loan_no }) => !findings.some(({ subject }) => subject.endsWith(` loan ${loan_no}`)))
  return { last: ids.at(-1) ?? null, findings, right: right.map(({ id }) => id) }
}

type Line = { part: string; loanNo: string; account: AccountId; recorded: bigint; sign: bigint }

function linesOf(row: LoanRow): Line[] {
  const { principal, interest, charges } = debtOf(row)
  const owed = (part: string, name: Parameters<typeof loanAccount>[1], recorded: bigint): Line => ({
    part,
    loanNo: row.loan_no,
    account: loanAccount(row.id, name, 'USDT'),
    recorded,
    sign: -1n,
  })
  return [
    owed('principal', 'loanPrincipal', principal),
    owed('interest', 'loanInterest', interest),
    owed('charges', 'loanCharges', charges),
    {
      part: 'collateral',
      loanNo: row.loan_no,
      account: loanAccount(row.id, 'loanCollateral', row.collateral_asset),
      recorded: row.collateral,
      sign: 1n,
    },
  ]
}

const differing = (subject: string, recorded: bigint, ledger: bigint): Finding[] =>
  recorded === ledger
    ? []
    : [
        {
          rule: 'loans agree with the ledger',
          subject,
          details: `recorded ${recorded - ledger} more than in the ledger`,
        },
      ]

const leverRow = z.object({ asset: z.string(), total: z.bigint(), owed: z.bigint() })

/** The figure that bounds new loans on a collateral is what the leveraged ones on it owe. */
async function compareLevers(tx: Tx): Promise<Finding[]> {
  const rows = await queryRows(
    tx,
    leverRow,
    sql`
    select asset, (select coalesce(sum(change), 0) from lever_total where collateral_asset = asset) as total,
      (select coalesce(sum(principal), 0) from loan_with_debt
        where collateral_asset = asset and kind = 'lever' and closed_at is null) as owed
    from unnest('{JU,HASH}'::text[]) as asset`,
  )
  return rows.flatMap(({ asset, total, owed }) =>
    total === owed
      ? []
      : [
          {
            rule: 'leveraged loans agree with their total',
            subject: `leveraged loans on ${asset}`,
            details: `owe ${owed - total} more than their total`,
          },
        ],
  )
}

const owedRow = z.object({ owed: z.bigint(), reserve: z.bigint() })

/** The reserve's part of what is owed is that of what was charged less that of what was paid, as `splitInterest` rounds. */
async function compareTotals(tx: Tx): Promise<Finding[]> {
  const [total = { owed: 0n, reserve: 0n }] = await queryRows(
    tx,
    owedRow,
    sql`
    select coalesce(sum(principal + interest_charged - interest_paid + late_charged - late_paid), 0) as owed,
      coalesce(sum(div(interest_charged * reserve_ppm, ${PPM}::numeric) - div(interest_paid * reserve_ppm, ${PPM}::numeric)
        + div(late_charged * reserve_ppm, ${PPM}::numeric) - div(late_paid * reserve_ppm, ${PPM}::numeric)), 0) as reserve
    from loan_debt where next_due_on is not null`,
  )
  const { paid } = await tx
    .selectFrom('loan_liquidation')
    .select(({ fn }) => fn.sum<bigint>('reserve_paid').as('paid'))
    .where('shortfall', '>', 0n)
    .executeTakeFirstOrThrow()
  const reserveGave = -(await movedBy(tx, { account: platformAccount('reserve', 'USDT'), kinds: ['deficit-reserve'] }))
  const [claims = 0n, pending = 0n, reserveClaims = 0n, deficit = 0n] = await accountBalances(tx, [
    platformAccount('fundClaims', 'USDT'),
    platformAccount('fundPending', 'USDT'),
    platformAccount('reserveClaims', 'USDT'),
    platformAccount('deficit', 'USDT'),
  ])
  return [
    ...(await compareLevers(tx)),
    ...differing('owed to the fund', total.owed - total.reserve, claims + pending),
    ...differing('owed to the reserve', total.reserve, reserveClaims),
    ...differing('deficits paid by the reserve', paid ?? 0n, reserveGave),
    ...differing('deficits that nobody has taken', 0n, deficit),
  ]
}
