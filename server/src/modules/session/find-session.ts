import type { Database } from '../../db/open.ts'
import { hashToken, SESSION_MS } from './log-in.ts'

/** A session in use is prolonged at most this often, so that reading does not mean writing. */
const PROLONG_EVERY_MS = 5 * 60_000

/** The live session of a token, or null. Seeing it prolongs it to seven days from now, at most every five minutes. */
export async function findSession(
  db: Database,
  token: string,
  now: Date,
): Promise<{ memberId: bigint; sessionId: string } | null> {
  const tokenHash = hashToken(token)
  const session = await db
    .selectFrom('session')
    .select(['id', 'member_id', 'seen_at'])
    .where('token_hash', '=', tokenHash)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  if (session === undefined) return null
  const staleBefore = new Date(now.getTime() - PROLONG_EVERY_MS)
  if (session.seen_at <= staleBefore) {
    await db
      .updateTable('session')
      .set({ seen_at: now, expires_at: new Date(now.getTime() + SESSION_MS) })
      .where('token_hash', '=', tokenHash)
      // Of several calls at once the first one writes, and a session that was ended meanwhile stays ended.
      .where('seen_at', '<=', staleBefore)
      .where('ended_at', 'is', null)
      .execute()
  }
  return { memberId: session.member_id, sessionId: session.id }
}
