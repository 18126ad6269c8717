import type { Database } from '../../db/open.ts'
import { levelOf } from './level.ts'

/** The membership level of a member now, from 0. */
export async function readLevel(db: Database, memberId: bigint): Promise<number> {
  const power = await db
    .selectFrom('member_power')
    .select('active_units')
    .where('member_id', '=', memberId)
    .executeTakeFirst()
  return levelOf(Number(power?.active_units ?? 0n)).level
}
