import type { Data, HandlerInput } from '@candela/protocol/endpoints'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { type LoanEntryKind, loanEntryKinds } from '@candela/protocol/endpoints/lending'
import type { Language } from '@candela/protocol/language'
import { apiTexts } from '@candela/protocol/texts/api-texts'
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

/** Every entry of the loan's accounts. @throws AppError 404 for a loan that is not the member's */
export async function listEntries(
  db: Database,
  { loanNo, cursor, limit }: HandlerInput<'GET lending/entries'>,
  { memberId, lang }: { memberId: bigint; lang: Language },
): Promise<Data<'GET lending/entries'>> {
  const { row } = await readLoan(db, { loanNo, memberId })
  const accounts = [
    loanAccount(row.id, 'loanPrincipal', 'USDT'),
    loanAccount(row.id, 'loanInterest', 'USDT'),
    loanAccount(row.id, 'loanCharges', 'USDT'),
    loanAccount(row.id, 'loanCollateral', row.collateral_asset),
  ]
  const { items, nextCursor } = await statement(db, { accounts, kinds: loanEntryKinds, limit, cursor })
  return { items: items.map((line) => describeEntry(line, lang)), nextCursor }
}

function describeEntry(line: StatementLine, lang: Language): Entry {
  const part = parts[accountParts(line.account).name as keyof typeof parts]
  // Only these kinds are asked for.
  const kind = line.kind as LoanEntryKind
  const { loanEntries, loanParts } = apiTexts[lang]
  // A loan's accounts are below zero by what it owes.
  const sign = part === 'collateral' ? 1n : -1n
  return {
    id: `${line.postingId}-${line.line}`,
    kind,
    label: `${loanEntries[kind]} · ${loanParts[part]}`,
    part,
    amount: fromBaseUnits(sign * line.amount),
    balance: fromBaseUnits(sign * (line.balance ?? 0n)),
    day: line.memo !== null && 'day' in line.memo ? line.memo.day : null,
    txHash: line.memo !== null && 'txHash' in line.memo ? (line.memo.txHash ?? null) : null,
    bookedAt: line.bookedAt.toISOString(),
    at: line.occurredAt.toISOString(),
  }
}
