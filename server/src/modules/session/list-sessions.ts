import type { Data } from '@candela/protocol/endpoints'
import type { Database } from '../../db/open.ts'

/** The live sessions of a member, the newest first, with the one that asks marked. */
export async function listSessions(
  db: Database,
  { memberId, sessionId, now }: { memberId: bigint; sessionId: string; now: Date },
): Promise<Data<'GET auth/sessions'>> {
  const sessions = await db
    .selectFrom('session')
    .select(['id', 'user_agent', 'created_at', 'seen_at'])
    .where('member_id', '=', memberId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  const items = sessions.map(({ id, user_agent, created_at, seen_at }) => ({
    id,
    current: id === sessionId,
    userAgent: user_agent,
    signedInAt: created_at.toISOString(),
    seenAt: seen_at.toISOString(),
  }))
  return { items }
}
