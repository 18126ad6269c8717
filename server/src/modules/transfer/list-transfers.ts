import { assetCodes } from '@candela/protocol/money/assets'
import type { Data } from '@candela/protocol/endpoints'
import { fromBaseUnits } from '@candela/protocol/money/money'
import type { Database } from '../../db/open.ts'
import type { PageInput } from '../../db/page.ts'
import { assert } from '../../kernel/assert.ts'
import { maskAddress } from '../../kernel/mask-address.ts'
import { accountAsset, memberAccount } from '../../ledger/chart.ts'
import { statement, type StatementLine } from '../../ledger/statement/statement.ts'

type Page = Data<'GET transfer/list'>

/** Sent and received, newest first: the ledger's own entries, of which nothing is kept a second time. */
export async function listTransfers(db: Database, memberId: bigint, { cursor, limit }: PageInput): Promise<Page> {
  const accounts = assetCodes.map((asset) => memberAccount(memberId, 'memberAvailable', asset))
  const { items, nextCursor } = await statement(db, { accounts, kinds: ['transfer'], limit, cursor })
  return { items: items.map(toTransfer), nextCursor }
}

function toTransfer({ account, amount, kind, memo, occurredAt }: StatementLine): Page['items'][number] {
  assert(kind === 'transfer' && memo !== null, 'transfers were asked for, and all have the same memo')
  const { transferNo, from, fromUid, to, toUid } = memo
  const isOut = amount < 0n
  return {
    transferNo,
    direction: isOut ? 'out' : 'in',
    asset: accountAsset(account),
    amount: fromBaseUnits(isOut ? -amount : amount),
    fee: '0',
    counterparty: isOut
      ? { uid: toUid, maskedAddress: maskAddress(to) }
      : { uid: fromUid, maskedAddress: maskAddress(from) },
    createdAt: occurredAt.toISOString(),
  }
}
