import type { Data } from '@candela/protocol/endpoints'
import { fromBaseUnits } from '@candela/protocol/money/money'
import type { Database } from '../../db/open.ts'
import { type PageQuery, toPage } from '../../db/page.ts'
import { maskAddress } from '../../kernel/mask-address.ts'

/** Lists the members whom a member invited directly, newest first. */
export async function listReferrals(
  db: Database,
  memberId: bigint,
  { before, limit }: PageQuery,
): Promise<Data<'GET user/zhiList'>> {
  let query = db
    .selectFrom('member as m')
    .leftJoin('member_power as p', 'p.member_id', 'm.id')
    .select(['m.id', 'm.address', 'm.joined_at', 'p.active_units', 'p.purchased_usdt'])
    .where('m.inviter_id', '=', memberId)
  if (before !== undefined) query = query.where('m.id', '<', before)
  const rows = await query
    .orderBy('m.id', 'desc')
    .limit(limit + 1)
    .execute()
  return toPage(rows, limit, (row) => ({
    maskedAddress: maskAddress(row.address),
    joinedAt: row.joined_at.toISOString(),
    activePower: Number(row.active_units ?? 0n),
    purchases: fromBaseUnits(row.purchased_usdt ?? 0n),
  }))
}
