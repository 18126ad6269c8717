import { codes } from '@candela/protocol/codes/codes'
import { sql } from 'kysely'
import { type Database, transaction } from '../../db/open.ts'
import { AppError } from '../../kernel/errors.ts'
import { collectNotices, readBacklog } from './collect-notices.ts'
import { countUnread } from './list-notices.ts'

type Which = { id: string | undefined; memberId: bigint; now: Date }

/**
 * Marks one as read, or all when no id is given; one that is read already stays.
 * @returns how many are unread then, 100 at most
 * @throws AppError 404
 */
export async function readNotices(db: Database, { id, memberId, now }: Which): Promise<number> {
  if (id === undefined) await readAll(db, memberId, now)
  else await readOne(db, memberId, BigInt(id), now)
  return countUnread(db, memberId)
}

/** One row stands for all of them: notices that are written later have a greater id. */
async function readAll(db: Database, memberId: bigint, now: Date): Promise<void> {
  await collectNotices(db, memberId)
  await transaction(db, async (tx) => {
    await readBacklog(tx, memberId, now)
    await sql`
      insert into notice_reader as r (member_id, read_to, read_at)
      select member_id, id, ${now} from notice where member_id = ${memberId} and read_at is null
      order by id desc limit 1
      on conflict (member_id) do update set read_to = excluded.read_to, read_at = excluded.read_at
        where r.read_to < excluded.read_to`.execute(tx)
  })
}

async function readOne(db: Database, memberId: bigint, id: bigint, now: Date): Promise<void> {
  await expectNotice(db, memberId, id)
  await db
    .updateTable('notice')
    .set({ read_at: now })
    .where('member_id', '=', memberId)
    .where('id', '=', id)
    .where('read_at', 'is', null)
    .execute()
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
