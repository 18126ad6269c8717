import type { Database } from '../../db/open.ts'
import type { At } from '../payout/payout-chain.ts'

/** The block at a height on the followed branch; null where none is known, or no longer. */
export async function readFollowedBlock(db: Database, number: bigint): Promise<At | null> {
  const row = await db
    .selectFrom('chain_block')
    .select(['number', 'hash'])
    .where('number', '=', number)
    .executeTakeFirst()
  return row ?? null
}

/** The last followed block's own time, null where it is not known; and whether crediting is halted. */
export type FollowedHead = { at: Date | null; isHalted: boolean }

/** Null where no chain is followed. */
export async function readFollowedHead(db: Database): Promise<FollowedHead | null> {
  const row = await db
    .selectFrom('chain_cursor as c')
    .leftJoin('chain_block as b', 'b.number', 'c.followed')
    .select(['c.halted_reason', 'b.at'])
    .executeTakeFirst()
  return row === undefined ? null : { at: row.at, isHalted: row.halted_reason !== null }
}
