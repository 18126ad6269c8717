import type { AssetCode } from '@candela/protocol/assets'
import type { Database } from '../../db/open.ts'

/** Money whose owner nobody knows. Amount in base units. */
export type SuspenseItem = {
  eventId: bigint
  txHash: string
  action: string
  reference: string
  asset: AssetCode
  amount: bigint
  payer: string
  customer: string
  at: Date
}

/** Payments that ended in suspense, oldest first. */
export async function listSuspense(db: Database): Promise<SuspenseItem[]> {
  const rows = await db
    .selectFrom('chain_event')
    .select(['id', 'tx_hash', 'action', 'reference', 'asset', 'amount', 'payer', 'customer', 'block_at'])
    .where('state', '=', 'credited')
    .where('outcome', '=', 'suspense')
    .orderBy('id')
    .execute()
  return rows.map(({ id, tx_hash, block_at, ...rest }) => ({ eventId: id, txHash: tx_hash, at: block_at, ...rest }))
}
