import type { Data } from '@candela/protocol/endpoints'
import { sql } from 'kysely'
import { cursorCodec } from '../../db/cursor.ts'
import { queryRows } from '../../db/query-rows.ts'
import { z } from 'zod'
import type { Database } from '../../db/open.ts'
import { makePage, type PageInput, readPage } from '../../db/page.ts'
import { collectNotices } from './collect-notices.ts'

type Page = Data<'GET notice/list'>
/** Time and id. */
const place = cursorCodec('time', 'id')

const noticeRow = z.object({ id: z.bigint(), at: z.date(), kind: z.string(), params: z.unknown(), read: z.boolean() })

/**
 * A page of what a member was told, newest first, with the count of what is unread.
 * @throws AppError 400 for a cursor that is not ours
 */
export async function listNotices(db: Database, memberId: bigint, input: PageInput): Promise<Page> {
  const { before, limit } = readPage(place, input)
  if (before === undefined) await collectNotices(db, memberId)
  const rows = await queryRows(
    db,
    noticeRow,
    sql`
    select id, at, kind, params, read_at is not null as read from notice
    where member_id = ${memberId}
      and (at, id) < (coalesce(${before?.[0] ?? null}::timestamptz, 'infinity'), ${before?.[1] ?? 0n}::bigint)
    order by at desc, id desc
    limit ${limit + 1}`,
  )
  const page = makePage(place, rows, limit, {
    place: (row) => [row.at, row.id],
    toItem: (row) => ({ ...row, id: row.id.toString(), at: row.at.toISOString() }) as Page['items'][number],
  })
  return { ...page, unread: await countUnread(db, memberId) }
}

export async function countUnread(db: Database, memberId: bigint): Promise<number> {
  const { unread } = await db
    .selectFrom('notice')
    .select((eb) => eb.fn.countAll<bigint>().as('unread'))
    .where('member_id', '=', memberId)
    .where('read_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(unread)
}
