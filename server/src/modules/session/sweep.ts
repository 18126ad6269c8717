import { DAY_MS, MINUTE_MS } from '@candela/protocol/units'
import { sql } from 'kysely'
import type { Tx } from '../../db/open.ts'

/**
 * How long a used nonce is kept after its message has expired: a login is checked against the time at which it came, and may
 * be done later, such as after a slow answer of the chain.
 */
const KEEP_NONCE_MS = 10 * MINUTE_MS
/** How long a session that is over stays on record, for questions about who was signed in when. */
const KEEP_SESSION_MS = 30 * DAY_MS

const before = (now: Date, kept_ms: number): Date => new Date(now.getTime() - kept_ms)

/** Removes at most `limit` nonces of login messages that have long expired. @returns how many */
export async function sweepNonces(tx: Tx, now: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from used_nonce where nonce = any(array(
      select nonce from used_nonce where expires_at < ${before(now, KEEP_NONCE_MS)} order by expires_at limit ${limit}
    ))`.execute(tx)
  return Number(numAffectedRows)
}

/** Removes at most `limit` sessions that have long been over. @returns how many */
export async function sweepSessions(tx: Tx, now: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from session where token_hash = any(array(
      select token_hash from session where least(expires_at, ended_at) < ${before(now, KEEP_SESSION_MS)}
      order by least(expires_at, ended_at) limit ${limit}
    ))`.execute(tx)
  return Number(numAffectedRows)
}

/** Removes the sessions of an account that goes. */
export async function forgetSessions(tx: Tx, memberId: bigint): Promise<void> {
  await tx.deleteFrom('session').where('member_id', '=', memberId).execute()
}
