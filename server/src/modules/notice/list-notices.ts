import type { Data } from '@candela/protocol/endpoints'
import { sql } from 'kysely'
import { cursorCodec } from '../../db/cursor.ts'
import type { Database } from '../../db/open.ts'
import { makePage, type PageInput, readPage } from '../../db/page.ts'
import { gatherNotices } from './gather.ts'

type Page = Data<'GET notice/list'>
type Content = Pick<Page['items'][number], 'kind' | 'params'>
/** Time and id. */
const place = cursorCodec('time', 'id')

type Row = { id: bigint; at: Date; read: boolean } & Content

/**
 * A page of what a member was told, newest first, with the count of what is unread.
 * @throws AppError 400 for a cursor that is not ours
 */
export async function listNotices(db: Database, memberId: bigint, input: PageInput): Promise<Page> {
  const { before, limit } = readPage(place, input)
  if (before === undefined) await gatherNotices(db, memberId)
  const { rows } = await sql<Row>`
    select id, at, kind, params, read_at is not null as read from notice
    where member_id = ${memberId}
      and (at, id) < (coalesce(${before?.[0] ?? null}::timestamptz, 'infinity'), ${before?.[1] ?? 0n}::bigint)
    order by at desc, id desc
    limit ${limit + 1}`.execute(db)
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
