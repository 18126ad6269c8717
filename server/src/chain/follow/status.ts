import { sql } from 'kysely'
import { queryRows } from '../../db/query-rows.ts'
import { z } from 'zod'
import type { Database } from '../../db/open.ts'

/** How far the chain is followed, for health, metrics and screens. Read from the database, so any process may ask. */
export type FollowerStatus = {
  head: bigint
  /** Last block whose payments are recorded; confirmations count from it. */
  followed: bigint
  lag_blocks: bigint
  /**
   * Age in seconds of what is known of the chain: that of the last followed block by the chain's own time, or the time
   * since a node last answered, whichever is more. Infinite before the first followed block; never negative.
   */
  lag_s: number
  headSeenAt: Date
  /** Why crediting stopped; null when it did not. */
  haltedReason: string | null
  /** Payments that wait for their depth. */
  waiting: number
  /** Payments that could not be settled and are set aside. */
  failing: number
  /** Credited payments that a reorganisation took off the chain, and that operators have not taken back. */
  orphaned: number
}

const statusRow = z.object({
  head: z.bigint(),
  followed: z.bigint(),
  head_seen_at: z.date(),
  head_at: z.date().nullable(),
  halted_reason: z.string().nullable(),
  followed_at: z.date().nullable(),
  waiting: z.number(),
  failing: z.number(),
  orphaned: z.number(),
})

/** Null before the follower ran for the first time. */
export async function readFollowerStatus(db: Database, now: Date): Promise<FollowerStatus | null> {
  const rows = await queryRows(
    db,
    statusRow,
    sql`
    select c.head, c.followed, c.head_seen_at, c.head_at, c.halted_reason,
      (select at from chain_block where number = c.followed) as followed_at,
      (select count(*)::integer from chain_uncredited where waits_for is null and not is_failing) as waiting,
      (select count(*)::integer from chain_uncredited where is_failing) as failing,
      (select count(*)::integer from chain_event where orphaned_at is not null and outcome <> 'takenBack') as orphaned
    from chain_cursor c`,
  )
  const row = rows[0]
  if (row === undefined) return null
  const lag_blocks = row.head > row.followed ? row.head - row.followed : 0n
  return {
    head: row.head,
    followed: row.followed,
    lag_blocks,
    lag_s: ageOf(row, lag_blocks, now),
    headSeenAt: row.head_seen_at,
    haltedReason: row.halted_reason,
    waiting: row.waiting,
    failing: row.failing,
    orphaned: row.orphaned,
  }
}

/**
 * In seconds. A stalled node repeats its last head, so an answer alone proves nothing: the chain's own time counts too.
 */
function ageOf(
  { followed_at, head_at, head_seen_at }: Pick<z.output<typeof statusRow>, 'followed_at' | 'head_at' | 'head_seen_at'>,
  lag_blocks: bigint,
  now: Date,
): number {
  // One stale node among several does not make what is followed already any older.
  const known = [followed_at, lag_blocks > 0n ? null : head_at].flatMap((at) => (at === null ? [] : [at.getTime()]))
  const newest = Math.max(...known)
  return Math.max(0, (now.getTime() - Math.min(newest, head_seen_at.getTime())) / 1000)
}

/** How old what is known of the chain may be, in seconds, and how many blocks may not be followed yet. */
export type FollowerLimits = { maxHeadAge_s: number; maxLag_blocks: number }

export const isFresh = (status: FollowerStatus, { maxHeadAge_s }: FollowerLimits): boolean =>
  status.lag_s <= maxHeadAge_s
export const isClose = (status: FollowerStatus, { maxLag_blocks }: FollowerLimits): boolean =>
  status.lag_blocks <= BigInt(maxLag_blocks)

/** True while what is known of the chain is recent enough to act on. */
export const isKeepingUp = (status: FollowerStatus | null, limits: FollowerLimits): boolean =>
  status !== null && isFresh(status, limits) && isClose(status, limits)

/** True while what we know of the chain is too old to notice a payment or to take orders on. */
export const isChainBehind = async (db: Database, limits: FollowerLimits, now: Date): Promise<boolean> =>
  !isKeepingUp(await readFollowerStatus(db, now), limits)

/** A payment that needs a person, for the operator's list. */
export type TroubledPayment = {
  eventId: bigint
  txHash: string
  blockNumber: bigint
  asset: string
  amount: bigint
  payer: string
  trouble: 'failing' | 'orphaned'
  reason: string | null
}

/** Payments that cannot be settled and credited ones that are off the chain, oldest first. */
export async function listTroubledPayments(db: Database, limit = 100): Promise<TroubledPayment[]> {
  const rows = await db
    .selectFrom('chain_event')
    .selectAll()
    .where('id', 'in', (of) =>
      of
        .selectFrom('chain_event')
        .select('id')
        .where('orphaned_at', 'is not', null)
        .where('outcome', '<>', 'takenBack')
        .unionAll(of.selectFrom('chain_uncredited').select('id').where('is_failing', '=', true)),
    )
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    eventId: row.id,
    txHash: row.tx_hash,
    blockNumber: row.block_number,
    asset: row.asset,
    amount: row.amount,
    payer: row.payer,
    trouble: row.orphaned_at === null ? 'failing' : 'orphaned',
    reason: row.last_failure,
  }))
}
