import { assetCodes } from '@candela/protocol/money/assets'
import type { HandlerInput } from '@candela/protocol/endpoints'
import type { StatementItem, StatementKind } from '@candela/protocol/endpoints/statement'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { memberPostingKinds } from '@candela/protocol/posting-kinds'
import type { Database } from '../../db/open.ts'
import { must } from '../../kernel/assert.ts'
import { maskAddress } from '../../kernel/mask-address.ts'
import { accountAsset, accountParts, memberAccount } from '../../ledger/chart.ts'
import type { ReceiptMemo } from '../../ledger/memos.ts'
import { readPaidBy } from '../withdraw/read-withdrawals.ts'
import { statement, type StatementLine } from '../../ledger/statement/statement.ts'

/** Lines in one piece of a file: some ten kilobytes, which keep nobody else waiting. */
export const PIECE = 400

export type Filter = Pick<
  HandlerInput<'GET statement/csv'>,
  'kinds' | 'asset' | 'account' | 'since' | 'before' | 'upTo' | 'cursor'
>

/**
 * Entries of everything that a member has, spendable or set aside, newest first.
 * @throws AppError 400 for a cursor that is not ours
 */
export async function readStatement(
  db: Database,
  memberId: bigint,
  { asset, account, cursor, kinds = [...memberPostingKinds], ...filter }: Filter,
  limit: number,
): Promise<{ items: StatementItem[]; nextCursor: string | null }> {
  const accounts = accountsOf({ asset, account }).map(({ name, code }) => memberAccount(memberId, name, code))
  const page = await statement(db, { ...filter, kinds, accounts, limit, cursor })
  const paid = page.items.flatMap(({ kind, memo }) => (kind === 'withdrawal' && memo !== null ? memo.withdrawalNo : []))
  const hashes = await readPaidBy(db, paid)
  return { items: page.items.map((line) => toItem(line, hashes)), nextCursor: page.nextCursor }
}

/** The accounts of a member, as far as a filter wants them. */
export const accountsOf = ({ asset, account }: Pick<Filter, 'asset' | 'account'>) =>
  assetCodes
    .filter((code) => asset === undefined || code === asset)
    .flatMap((code) => [
      ...(account === 'held' ? [] : [{ name: 'memberAvailable', account: 'available', code } as const]),
      ...(account === 'available' ? [] : [{ name: 'memberHeld', account: 'held', code } as const]),
    ])

/** @param hashes of the payments of withdrawals, by their numbers */
function toItem(line: StatementLine, hashes: ReadonlyMap<string, string>): StatementItem {
  const { name } = accountParts(line.account)
  const reference = referenceOf(line)
  return {
    id: `${line.postingId}-${line.line}`,
    // Only kinds of the table are posted: the type of a posting says so.
    kind: line.kind as StatementKind,
    account: name === 'memberHeld' ? 'held' : 'available',
    asset: accountAsset(line.account),
    amount: fromBaseUnits(line.amount),
    balance: fromBaseUnits(must(line.balance, 'an account of a member has a running balance')),
    bookedAt: line.bookedAt.toISOString(),
    at: line.occurredAt.toISOString(),
    isFee: isFee(line),
    reference,
    txHash: txHashOf(line) ?? (line.kind === 'withdrawal' ? (hashes.get(reference?.no ?? '') ?? null) : null),
    counterparty: counterpartyOf(line),
  }
}

/** The first leg leaves or comes back; the second is the fee. */
const isFee = ({ kind, line }: StatementLine): boolean =>
  (kind === 'withdrawal' || kind === 'withdrawal-reverted') && line > 2

/** The number of ours or the day that the line refers to. */
function referenceOf({ kind, memo }: StatementLine): StatementItem['reference'] {
  switch (kind) {
    case 'deposit':
    case 'unmatched':
      if (memo === null) return null
      return 'payments' in memo ? numbered('day', memo.day) : paidReference(memo)
    case 'transfer':
      return numbered('transfer', memo?.transferNo)
    case 'exchange':
      return numbered('exchange', memo?.exchangeNo)
    case 'income':
      return numbered('day', memo?.day)
    case 'withdrawal-hold':
    case 'withdrawal-release':
    case 'withdrawal-reverted':
    case 'withdrawal':
      return numbered('withdrawal', memo?.withdrawalNo)
    case 'loan':
    case 'repayment':
    case 'pledge':
    case 'pledge-return':
    case 'lever-open':
    case 'lever-close':
    case 'interest-correction':
      return numbered('loan', memo?.loanNo)
    // The order behind a reward is somebody else's.
    case 'referral':
    case 'assigned':
    case 'taken-back':
    case 'purchase':
    case 'revenue':
    case 'suspense':
    case 'desk-stock':
    case 'service-fee':
    case 'reconciliation':
    case 'fund-in':
    case 'fund-out':
    case 'interest':
    case 'interest-waiver':
    case 'late-charge':
    case 'liquidation':
    case 'fund-earnings':
    case 'deficit':
    case 'deficit-reserve':
    case 'deficit-fund':
    case 'fund-capital':
      break
  }
  return null
}

type ReferenceType = NonNullable<StatementItem['reference']>['type']

const numbered = (type: ReferenceType, no: string | undefined): StatementItem['reference'] =>
  no === undefined ? null : { type, no }

/** A payer's words on chain are shown only where they have the form of a number of ours. */
function paidReference({ action, reference }: ReceiptMemo): StatementItem['reference'] {
  if (!/^[A-Z0-9]{8,32}$/.test(reference)) return null
  if (action === 'buyPower') return { type: 'order', no: reference }
  return action === 'deposit' ? { type: 'deposit', no: reference } : null
}

const txHashOf = ({ memo }: StatementLine): string | null =>
  memo !== null && 'txHash' in memo ? (memo.txHash ?? null) : null

function counterpartyOf({ kind, amount, memo }: StatementLine): StatementItem['counterparty'] {
  if (kind !== 'transfer' || memo === null) return null
  const [uid, address] = amount < 0n ? [memo.toUid, memo.to] : [memo.fromUid, memo.from]
  return { uid, maskedAddress: maskAddress(address) }
}
