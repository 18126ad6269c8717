import { sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '../../db/open.ts'
import { queryRows } from '../../db/query-rows.ts'
import type { ConfirmationRule } from '../crediting/confirmations.ts'
import type { At } from '../payout/payout-chain.ts'

/** Where the follower is: what the chain says is asked as of these blocks. */
export type Followed = {
  tip: At & { at: Date }
  /** The newest block that counts as final; null while too few blocks are known to tell. */
  final: At | null
  /**
   * Where states are asked for that have to be final: the newest final block, or the oldest block whose state nodes keep, where
   * that is a newer one.
   */
  finalState: At | null
  /** How many blocks below `tip` nodes keep states for. */
  statesKept: bigint
}

/** A little less than what nodes keep that do not keep all states: 128. */
export const STATES_KEPT = 100

const followedRow = z.object({
  number: z.bigint(),
  hash: z.string(),
  at: z.date(),
  final_hash: z.string().nullable(),
  state_hash: z.string().nullable(),
})

/** Null before the first followed block. */
export async function readFollowedBlocks(db: Database, rule: ConfirmationRule): Promise<Followed | null> {
  const depth = BigInt(Math.max(rule.large, rule.normal) - 1)
  const statesKept = BigInt(rule.statesKept ?? STATES_KEPT)
  const stateDepth = depth < statesKept ? depth : statesKept
  const rows = await queryRows(
    db,
    followedRow,
    sql`
    select b.number, b.hash, b.at, (select hash from chain_block where number = b.number - ${depth}) as final_hash,
      (select hash from chain_block where number = b.number - ${stateDepth}) as state_hash
    from chain_cursor c join chain_block b on b.number = c.followed and b.hash = c.followed_hash`,
  )
  const [row] = rows
  if (row === undefined) return null
  const { number, hash, at, final_hash, state_hash } = row
  const below = (by: bigint, found: string | null): At | null =>
    found === null ? null : { number: number - by, hash: found }
  return {
    tip: { number, hash, at },
    final: below(depth, final_hash),
    finalState: below(stateDepth, state_hash),
    statesKept,
  }
}
