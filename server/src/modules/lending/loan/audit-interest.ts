import { addDays, daysBetween } from '@candela/protocol/calendar'
import { dayInterest, interestOf } from '@candela/protocol/lending/interest'
import type { Tx } from '../../../db/open.ts'
import type { Finding } from '../../../ledger/audit/checks.ts'
import { dailyBalances } from '../../../ledger/balances.ts'
import { loanAccount } from '../../../ledger/chart.ts'
import { entriesAfter } from '../../../ledger/statement/entries-after.ts'
import type { LoanRow } from './record/loan-record.ts'

/** Entries that are read at a time. */
const PAGE = 20_000

/**
 * Recomputes the interest that loans were charged from what was owed of their principal each day. Postings that balance can be wrong
 * all the same: interest of one day too much is in the row and in the ledger alike. A finding says the same each day, so that it stays
 * accepted.
 */
export async function auditInterest(tx: Tx, rows: readonly LoanRow[], page = PAGE): Promise<Finding[]> {
  const principals = new Map(rows.map(({ id }) => [loanAccount(id, 'loanPrincipal', 'USDT'), [] as Change[]]))
  for (const { account, day, balance } of await dailyBalances(tx, [...principals.keys()])) {
    principals.get(account)?.push({ day, principal: -balance })
  }
  const findings: Finding[] = []
  for (const row of rows) {
    const changes = principals.get(loanAccount(row.id, 'loanPrincipal', 'USDT')) ?? []
    if (interestOfDays(row, changes) === row.interest_charged) continue
    const recomputed = interestOfPostings(row, await readPostings(tx, row, page))
    if (recomputed === row.interest_charged) continue
    findings.push({
      rule: 'interest follows from the principal',
      subject: `interest charged on loan ${row.loan_no}`,
      details:
        typeof recomputed === 'string'
          ? recomputed
          : `recorded ${row.interest_charged - recomputed} more than recomputed`,
    })
  }
  return findings
}

/** The principal that was owed when a day ended on which it changed. */
type Change = { day: string; principal: bigint }

/**
 * The first day is of all that was lent, each later one of what was owed when the day before ended.
 * @returns null when a payment is dated before the loan: the clocks of two servers, or of one and the chain, differ
 */
function interestOfDays(row: LoanRow, changes: readonly Change[]): bigint | null {
  if (changes.some(({ principal }) => principal < 0n)) return null
  const rate_ppm = BigInt(row.rate_ppm)
  const second = addDays(row.opened_on, 2)
  let sum = dayInterest(row.lent, rate_ppm)
  for (const [nth, { day, principal }] of changes.entries()) {
    const from = later(addDays(day, 1), second)
    const to = earlier(changes[nth + 1]?.day ?? row.interest_through, row.interest_through)
    sum += interestOf(principal, rate_ppm, Math.max(0, daysBetween(from, to) + 1))
  }
  return sum
}

const later = (one: string, other: string): string => (one > other ? one : other)
const earlier = (one: string, other: string): string => (one < other ? one : other)

type Postings = { changes: readonly { posting: bigint; amount: bigint }[]; charged: ReadonlySet<bigint> }

type Place = Parameters<typeof entriesAfter>[1]

/** All of them, however many repayments there are. */
async function readPostings(tx: Tx, row: LoanRow, page: number): Promise<Postings> {
  const read = async (name: 'loanPrincipal' | 'loanInterest', kinds: Place['kinds']) => {
    const entries: { posting: bigint; amount: bigint }[] = []
    const account = loanAccount(row.id, name, 'USDT')
    for (let after: bigint | undefined = 0n; after !== undefined;) {
      const next: typeof entries = await entriesAfter(tx, { account, kinds, posting: after, limit: page })
      for (const { posting, amount } of next) entries.push({ posting, amount })
      after = next.length < page ? undefined : next.at(-1)?.posting
    }
    return entries
  }
  const changes = await read('loanPrincipal', [
    'loan',
    'lever-open',
    'repayment',
    'interest-correction',
    'interest-waiver',
    'lever-close',
    'liquidation',
    'deficit',
  ])
  const charged = new Set((await read('loanInterest', ['interest'])).map(({ posting }) => posting))
  return { changes, charged }
}

/**
 * The same from the postings in their order, for a loan whose days do not say it: a payment that came in the last moment of a day may have
 * been recorded after the next day was charged, or be dated before the loan.
 * @returns why there is no such sum, as a text: an error here would end the audit of all other loans
 */
function interestOfPostings(row: LoanRow, { changes, charged }: Postings): bigint | string {
  const rate_ppm = BigInt(row.rate_ppm)
  if (rate_ppm > 0n && charged.size !== daysBetween(row.opened_on, row.interest_through))
    return 'nothing: the days charged are not those of the loan'
  let sum = 0n
  let [next, principal] = [0, 0n]
  for (const posting of charged) {
    for (let change = changes[next]; change !== undefined && change.posting < posting; change = changes[next]) {
      principal -= change.amount
      next += 1
    }
    if (principal < 0n) return `nothing: more was repaid than lent before posting ${posting}`
    sum += dayInterest(principal, rate_ppm)
  }
  return sum
}
