import { DAY_MS, MINUTE_MS } from '@candela/protocol/units'
import type { Database } from '../../db/open.ts'

/**
 * How long a used nonce is kept after its message has expired: a login is checked against the time at which it came, and may
 * be done later, such as after a slow answer of the chain.
 */
const KEEP_NONCE_MS = 10 * MINUTE_MS
/** How long a session that is over stays on record, for questions about who was signed in when. */
const KEEP_SESSION_MS = 30 * DAY_MS

/** Removes the nonces of login messages that have long expired, and sessions that have long been over. */
export async function sweepSessions(db: Database, now: Date): Promise<{ nonces: number; sessions: number }> {
  const nonces = await db
    .deleteFrom('used_nonce')
    .where('expires_at', '<', new Date(now.getTime() - KEEP_NONCE_MS))
    .executeTakeFirst()
  const before = new Date(now.getTime() - KEEP_SESSION_MS)
  const sessions = await db
    .deleteFrom('session')
    .where((where) => where.or([where('expires_at', '<', before), where('ended_at', '<', before)]))
    .executeTakeFirst()
  return { nonces: Number(nonces.numDeletedRows), sessions: Number(sessions.numDeletedRows) }
}
