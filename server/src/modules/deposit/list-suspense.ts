import type { AssetCode } from '@candela/protocol/money/assets'
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

/** Payments that are in suspense, oldest first: those that were given to somebody since are not. */
export async function listSuspense(db: Database): Promise<SuspenseItem[]> {
  const rows = await db
    .selectFrom('chain_payment as e')
    .leftJoin('suspense_assignment as a', (join) =>
      join.onRef('a.tx_hash', '=', 'e.tx_hash').onRef('a.tx_position', '=', 'e.tx_position'),
    )
    .select([
      'e.id',
      'e.tx_hash',
      'e.action',
      'e.reference',
      'e.asset',
      'e.amount',
      'e.payer',
      'e.customer',
      'e.block_at',
    ])
    .where('e.state', '=', 'credited')
    .where('e.outcome', '=', 'suspense')
    .where('a.tx_hash', 'is', null)
    .orderBy('e.id')
    .execute()
  return rows.map(({ id, tx_hash, block_at, ...rest }) => ({ eventId: id, txHash: tx_hash, at: block_at, ...rest }))
}
