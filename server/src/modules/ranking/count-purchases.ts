import { sql } from 'kysely'
import type { Tx } from '../../db/open.ts'

/** `amount` in USDT base units. */
export type ConfirmedPurchase = { orderId: bigint; memberId: bigint; amount: bigint }

/** Queues purchases for the ranking in the transaction that settles them. Each order counts once, whatever happens. */
export async function countPurchases(tx: Tx, purchases: readonly ConfirmedPurchase[], at: Date): Promise<void> {
  if (purchases.length === 0) return
  await sql`
    insert into performance_due (order_id, member_id, amount, at)
    select *, ${at}::timestamptz from unnest(
      ${purchases.map(({ orderId }) => orderId)}::bigint[],
      ${purchases.map(({ memberId }) => memberId)}::bigint[],
      ${purchases.map(({ amount }) => amount)}::numeric[]
    )`.execute(tx)
}
