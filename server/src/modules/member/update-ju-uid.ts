import { codes } from '@candela/protocol/codes/codes'
import { type Database, isUniqueViolation } from '../../db/open.ts'
import { AppError } from '../../kernel/errors.ts'

/**
 * Stores the member's UID at the exchange, for display only: nothing is ever paid to it.
 * @throws AppError 4006 when another member has it
 */
export async function updateJuUid(db: Database, memberId: bigint, juUid: bigint): Promise<void> {
  try {
    const { numUpdatedRows } = await db
      .updateTable('member')
      .set({ ju_uid: juUid })
      .where('id', '=', memberId)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new AppError(codes.notFound)
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError(codes.juUidTaken)
    throw error
  }
}
