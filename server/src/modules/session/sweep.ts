import type { Database } from '../../db/open.ts'

/** How long a session that is over stays on record, for questions about who was signed in when. */
const KEEP_SESSION_MS = 30 * 24 * 3_600_000

/** Removes login messages that can no longer be used, and sessions that have long been over. */
export async function sweepSessions(db: Database, now: Date): Promise<{ messages: number; sessions: number }> {
  const messages = await db.deleteFrom('login_message').where('expires_at', '<', now).executeTakeFirst()
  const before = new Date(now.getTime() - KEEP_SESSION_MS)
  const sessions = await db
    .deleteFrom('session')
    .where((where) => where.or([where('expires_at', '<', before), where('ended_at', '<', before)]))
    .executeTakeFirst()
  return { messages: Number(messages.numDeletedRows), sessions: Number(sessions.numDeletedRows) }
}
