import { codes } from '@candela/protocol/codes/codes'
import type { Database } from '../../db/open.ts'
import { AppError } from '../../kernel/errors.ts'

/** Names the sessions of a member to end: one by its id, or all but the one that asks. */
export type Revocation = { memberId: bigint; now: Date } & ({ id: string } | { allBut: string })

/**
 * Signs devices of one member out, at once.
 * @returns how many were signed out
 * @throws AppError 404 when the member has no live session of that id
 */
export async function revokeSessions(db: Database, revocation: Revocation): Promise<number> {
  const { memberId, now } = revocation
  const live = db
    .updateTable('session')
    .set({ ended_at: now })
    .where('member_id', '=', memberId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
  const chosen = 'id' in revocation ? live.where('id', '=', revocation.id) : live.where('id', '<>', revocation.allBut)
  const { numUpdatedRows } = await chosen.executeTakeFirstOrThrow()
  if ('id' in revocation && numUpdatedRows === 0n) throw new AppError(codes.notFound)
  return Number(numUpdatedRows)
}
