import type { Data } from '@candela/protocol/endpoints'
import type { Database } from '../../../db/open.ts'
import { type PageQuery, toPage } from '../../../db/page.ts'

/** Changes of a member's active power, newest first. */
export async function listPowerLog(
  db: Database,
  memberId: bigint,
  { before, limit }: PageQuery,
): Promise<Data<'GET user/powerLog'>> {
  let query = db
    .selectFrom('power_log as l')
    .innerJoin('power_order as o', 'o.id', 'l.order_id')
    .innerJoin('power_plan as p', 'p.id', 'o.plan_id')
    .leftJoin('chain_payment as e', 'e.id', 'o.chain_event_id')
    .select(['l.id', 'l.kind', 'o.order_no', 'p.name', 'p.unit', 'l.units', 'l.total', 'l.at', 'e.tx_hash'])
    .where('l.member_id', '=', memberId)
  if (before !== undefined) query = query.where('l.id', '<', before)
  const rows = await query
    .orderBy('l.id', 'desc')
    .limit(limit + 1)
    .execute()
  return toPage(rows, limit, (row) => ({
    id: String(row.id),
    kind: row.kind,
    orderNo: row.order_no,
    planName: row.name,
    unit: row.unit,
    units: Number(row.units),
    total: Number(row.total),
    at: row.at.toISOString(),
    // The end of power was not caused by a transaction.
    txHash: row.kind === 'activated' ? row.tx_hash : null,
  }))
}
