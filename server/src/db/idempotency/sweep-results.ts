import { DAY_MS } from '@candela/protocol/units'
import { sql } from 'kysely'
import type { Tx } from '../open.ts'

/**
 * How long the first answer of a request id is kept: as long as a session can last, so that a client that comes back with
 * a command whose answer it lost gets it. After that a repetition is told that it was done.
 */
export const KEEP_RESULT_MS = 30 * DAY_MS

/**
 * Forgets the results of at most `limit` old requests, the oldest first. That an id was used, and for what, stays for
 * ever, so nothing is done a second time.
 * @returns how many
 */
export async function sweepResults(tx: Tx, now: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    update request_log r set result = null
    from (
      select member_id, request_key from request_log
      where result is not null and created_at < ${new Date(now.getTime() - KEEP_RESULT_MS)}
      order by created_at limit ${limit}
      for no key update skip locked
    ) as old
    where r.member_id = old.member_id and r.request_key = old.request_key`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}
