import { codes } from '@candela/protocol/codes/codes'
import type { Database } from '../../db/open.ts'
import { AppError } from '../../kernel/errors.ts'
import { collectNotices } from './collect-notices.ts'
import { countUnread } from './list-notices.ts'

type Which = { id: string | undefined; memberId: bigint; now: Date }

/** Marks one as read, or all when no id is given; one that is read already stays. Returns how many are unread then. @throws AppError 404 */
export async function readNotices(db: Database, { id, memberId, now }: Which): Promise<number> {
  if (id === undefined) await collectNotices(db, memberId)
  else await expectNotice(db, memberId, BigInt(id))
  await db
    .updateTable('notice')
    .set({ read_at: now })
    .where('member_id', '=', memberId)
    .where('read_at', 'is', null)
    .$if(id !== undefined, (query) => query.where('id', '=', BigInt(id ?? 0)))
    .execute()
  return countUnread(db, memberId)
}

async function expectNotice(db: Database, memberId: bigint, id: bigint): Promise<void> {
  const found = await db
    .selectFrom('notice')
    .select('id')
    .where('id', '=', id)
    .where('member_id', '=', memberId)
    .executeTakeFirst()
  if (found === undefined) throw new AppError(codes.notFound)
}
