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
    select id, at, kind, params, read_at is not null or id <= coalesce(
      (select read_to from notice_reader where member_id = ${memberId}), 0) as read
    from notice
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

/** Counted no further than this; the app shows "99+" then. */
const MAX_UNREAD = 100

const unreadRow = z.object({ unread: z.bigint() })

export async function countUnread(db: Database, memberId: bigint): Promise<number> {
  const [found] = await queryRows(
    db,
    unreadRow,
    sql`
    select count(*) as unread from (
      select from notice where member_id = ${memberId} and read_at is null
        and id > coalesce((select read_to from notice_reader where member_id = ${memberId}), 0)
      order by id limit ${MAX_UNREAD}
    ) first`,
  )
  return Number(found?.unread ?? 0n)
}
