import { REQUEST_ID_AHEAD_MS, REQUEST_ID_LIFE_MS } from '@candela/protocol/request-id'
import { HOUR_MS } from '@candela/protocol/units'
import { sql } from 'kysely'
import type { Tx } from '../open.ts'

/**
 * How long a request is remembered, in milliseconds: by then its id is refused as too old at every server, however far it was ahead
 * of time, whatever the clocks of servers differ by, and however long the call that asks for it has waited.
 */
export const KEEP_REQUEST_MS = REQUEST_ID_LIFE_MS + REQUEST_ID_AHEAD_MS + HOUR_MS

/**
 * Forgets at most `limit` requests that nothing can be done under any more, the oldest first.
 * @returns how many
 */
export async function sweepRequests(tx: Tx, now: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from request_log r
    using (
      select member_id, request_key from request_log
      where created_at < ${new Date(now.getTime() - KEEP_REQUEST_MS)}
      order by created_at limit ${limit}
      for update skip locked
    ) as old
    where r.member_id = old.member_id and r.request_key = old.request_key`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}

/** Forgets what an account that goes has asked for: nothing of it has moved money. */
export async function forgetRequests(tx: Tx, memberId: bigint): Promise<void> {
  await tx.deleteFrom('request_log').where('member_id', '=', memberId).execute()
}
