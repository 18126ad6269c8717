import { codes } from '@candela/protocol/codes/codes'
import type { Database } from '../../db/open.ts'
import { AppError } from '../../kernel/errors.ts'

/** Stores the member's UID at the exchange, for display only: nobody proves it, so several may say the same, and nothing is ever paid to it. */
export async function updateJuUid(db: Database, memberId: bigint, juUid: bigint): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('member')
    .set({ ju_uid: juUid })
    .where('id', '=', memberId)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new AppError(codes.notFound)
}
