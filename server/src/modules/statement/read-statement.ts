import { assetCodes } from '@candela/protocol/money/assets'
import type { HandlerInput } from '@candela/protocol/endpoints'
import type { StatementItem, StatementKind } from '@candela/protocol/endpoints/statement'
import { fromBaseUnits } from '@candela/protocol/money/money'
import type { Database } from '../../db/open.ts'
import { must } from '../../kernel/assert.ts'
import { maskAddress } from '../../kernel/mask-address.ts'
import { accountParts, memberAccount } from '../../ledger/chart.ts'
import { statement, type StatementLine } from '../../ledger/statement.ts'

export type Filter = Pick<HandlerInput<'GET statement/csv'>, 'kinds' | 'asset' | 'since' | 'before' | 'cursor'>

/**
 * Entries of everything that a member has, spendable or set aside, newest first.
 * @throws AppError 400 for a cursor that is not ours
 */
export async function readStatement(
  db: Database,
  memberId: bigint,
  { asset, cursor, ...filter }: Filter,
  limit: number,
): Promise<{ items: StatementItem[]; nextCursor: string | null }> {
  const accounts = assetCodes
    .filter((code) => asset === undefined || code === asset)
    .flatMap((code) => [memberAccount(memberId, 'memberAvailable', code), memberAccount(memberId, 'memberHeld', code)])
  // The ledger's cursors have a point, which those of the API do not.
  const page = await statement(db, { ...filter, accounts, limit, cursor: cursor?.replace('-', '.') })
  return { items: page.items.map(toItem), nextCursor: page.nextCursor?.replace('.', '-') ?? null }
}

function toItem(line: StatementLine): StatementItem {
  const { name, asset } = accountParts(line.account)
  const memo = memoTexts(line.memo)
  return {
    id: `${line.postingId}-${line.line}`,
    // Only kinds of the table are posted: the type of a posting says so.
    kind: line.kind as StatementKind,
    account: name === 'memberHeld' ? 'held' : 'available',
    asset,
    amount: fromBaseUnits(line.amount),
    balance: fromBaseUnits(must(line.balance, 'an account of a member has a running balance')),
    at: line.occurredAt.toISOString(),
    // The order behind a reward is somebody else's.
    reference: line.kind === 'referral' ? null : referenceOf(memo),
    txHash: memo['txHash'] ?? null,
    counterparty: counterpartyOf(line, memo),
  }
}

type Memo = Readonly<Record<string, string | undefined>>

/** The texts of what modules store beside a posting, each by its name. */
function memoTexts(memo: unknown): Memo {
  if (typeof memo !== 'object' || memo === null) return {}
  return Object.fromEntries(Object.entries(memo).filter(([, value]) => typeof value === 'string'))
}

function referenceOf(memo: Memo): StatementItem['reference'] {
  // What a payer wrote on chain is shown only where it has the form of a number of ours.
  const paid = /^[A-Z0-9]{8,32}$/.test(memo['reference'] ?? '') ? memo['reference'] : undefined
  const numbers = {
    order: memo['orderNo'] ?? (memo['action'] === 'buyPower' ? paid : undefined),
    deposit: memo['action'] === 'deposit' ? paid : undefined,
    withdrawal: memo['withdrawalNo'],
    transfer: memo['transferNo'],
    exchange: memo['exchangeNo'],
    day: memo['day'],
  } as const
  for (const [type, no] of Object.entries(numbers)) {
    if (no !== undefined) return { type: type as keyof typeof numbers, no }
  }
  return null
}

function counterpartyOf({ kind, amount }: StatementLine, memo: Memo): StatementItem['counterparty'] {
  if (kind !== 'transfer') return null
  const [uid, address] = amount < 0n ? [memo['toUid'], memo['to']] : [memo['fromUid'], memo['from']]
  return uid === undefined || address === undefined ? null : { uid, maskedAddress: maskAddress(address) }
}
