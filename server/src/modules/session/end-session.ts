import type { Database } from '../../db/open.ts'

/** Signs one device out, at once. Ending it again changes nothing. */
export async function endSession(db: Database, sessionId: string, now: Date): Promise<void> {
  await db
    .updateTable('session')
    .set({ ended_at: now })
    .where('id', '=', sessionId)
    .where('ended_at', 'is', null)
    .execute()
}
