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
