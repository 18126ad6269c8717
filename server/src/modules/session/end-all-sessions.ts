import type { Tx } from '../../db/open.ts'

/** Signs every device of a member out, or of everybody, at once. Returns how many; undefined without such a member. */
export async function endAllSessions(
  tx: Tx,
  of: { uid: bigint } | 'everybody',
  now: Date,
): Promise<number | undefined> {
  const live = tx
    .updateTable('session')
    .set({ ended_at: now })
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
  if (of === 'everybody') return Number((await live.executeTakeFirstOrThrow()).numUpdatedRows)
  const member = await tx.selectFrom('member').select('id').where('uid', '=', of.uid).executeTakeFirst()
  if (member === undefined) return undefined
  return Number((await live.where('member_id', '=', member.id).executeTakeFirstOrThrow()).numUpdatedRows)
}
