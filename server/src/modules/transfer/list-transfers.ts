import { assetCodes } from '@candela/protocol/money/assets'
import type { Data } from '@candela/protocol/endpoints'
import { fromBaseUnits } from '@candela/protocol/money/money'
import type { Database } from '../../db/open.ts'
import { maskAddress } from '../../kernel/mask-address.ts'
import { accountParts, memberAccount } from '../../ledger/chart.ts'
import { statement, type StatementLine } from '../../ledger/statement.ts'
import type { TransferMemo } from './postings.ts'

type Page = Data<'GET transfer/list'>

/** Sent and received, newest first: the ledger's own entries, of which nothing is kept a second time. */
export async function listTransfers(
  db: Database,
  memberId: bigint,
  { cursor, limit }: { cursor: string | undefined; limit: number },
): Promise<Page> {
  const accounts = assetCodes.map((asset) => memberAccount(memberId, 'memberAvailable', asset))
  // The ledger's cursors have a point, which those of the API do not.
  const query = { accounts, kinds: ['transfer'], limit, cursor: cursor?.replace('-', '.') }
  const { items, nextCursor } = await statement(db, query)
  return { items: items.map(toTransfer), nextCursor: nextCursor?.replace('.', '-') ?? null }
}

function toTransfer({ account, amount, memo, occurredAt }: StatementLine): Page['items'][number] {
  const { transferNo, from, fromUid, to, toUid } = memo as TransferMemo
  const isOut = amount < 0n
  return {
    transferNo,
    direction: isOut ? 'out' : 'in',
    asset: accountParts(account).asset,
    amount: fromBaseUnits(isOut ? -amount : amount),
    fee: '0',
    counterparty: isOut
      ? { uid: toUid, maskedAddress: maskAddress(to) }
      : { uid: fromUid, maskedAddress: maskAddress(from) },
    createdAt: occurredAt.toISOString(),
  }
}
