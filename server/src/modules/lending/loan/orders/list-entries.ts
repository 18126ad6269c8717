import type { Data, HandlerInput } from '@candela/protocol/endpoints'
import { fromBaseUnits } from '@candela/protocol/money/money'
import type { PostingKind } from '@candela/protocol/posting-kinds'
import type { Database } from '../../../../db/open.ts'
import { accountParts, loanAccount } from '../../../../ledger/chart.ts'
import { statement, type StatementLine } from '../../../../ledger/statement/statement.ts'
import { readLoan } from '../record/store.ts'

type Entry = Data<'GET lending/entries'>['items'][number]

const parts = {
  loanPrincipal: 'principal',
  loanInterest: 'interest',
  loanCharges: 'charges',
  loanCollateral: 'collateral',
} as const

/** Kinds of posting that change an account of a loan. */
const loanKinds = [
  'loan',
  'repayment',
  'pledge',
  'pledge-return',
  'lever-open',
  'lever-close',
  'interest',
  'late-charge',
  'interest-correction',
  'interest-waiver',
  'liquidation',
  'deficit',
] as const satisfies readonly PostingKind[]

/** Every entry of the loan's accounts. @throws AppError 404 for a loan that is not the member's */
export async function listEntries(
  db: Database,
  { loanNo, cursor, limit }: HandlerInput<'GET lending/entries'>,
  memberId: bigint,
): Promise<Data<'GET lending/entries'>> {
  const { row } = await readLoan(db, { loanNo, memberId })
  const accounts = [
    loanAccount(row.id, 'loanPrincipal', 'USDT'),
    loanAccount(row.id, 'loanInterest', 'USDT'),
    loanAccount(row.id, 'loanCharges', 'USDT'),
    loanAccount(row.id, 'loanCollateral', row.collateral_asset),
  ]
  const { items, nextCursor } = await statement(db, { accounts, kinds: loanKinds, limit, cursor })
  return { items: items.map(describeEntry), nextCursor }
}

function describeEntry(line: StatementLine): Entry {
  const part = parts[accountParts(line.account).name as keyof typeof parts]
  // A loan's accounts are below zero by what it owes.
  const sign = part === 'collateral' ? 1n : -1n
  return {
    id: `${line.postingId}-${line.line}`,
    kind: line.kind,
    part,
    amount: fromBaseUnits(sign * line.amount),
    balance: fromBaseUnits(sign * (line.balance ?? 0n)),
    day: line.memo !== null && 'day' in line.memo ? line.memo.day : null,
    txHash: line.memo !== null && 'txHash' in line.memo ? (line.memo.txHash ?? null) : null,
    at: line.occurredAt.toISOString(),
  }
}
