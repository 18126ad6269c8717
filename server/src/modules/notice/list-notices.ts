import type { Data } from '@candela/protocol/endpoints'
import { sql } from 'kysely'
import { queryRows } from '../../db/query-rows.ts'
import { z } from 'zod'
import type { Database } from '../../db/open.ts'
import { invalidInput } from '../../kernel/errors.ts'
import { gatherNotices } from './gather.ts'

type Page = Data<'GET notice/list'>
const noticeRow = z.object({ id: z.bigint(), at: z.date(), kind: z.string(), params: z.unknown(), read: z.boolean() })

/**
 * A page of what a member was told, newest first, with the count of what is unread.
 * @throws AppError 400 for a cursor that is not ours
 */
export async function listNotices(
  db: Database,
  memberId: bigint,
  { cursor, limit }: { cursor: string | undefined; limit: number },
): Promise<Page> {
  const before = readCursor(cursor)
  if (before === null) await gatherNotices(db, memberId)
  const rows = await queryRows(
    db,
    noticeRow,
    sql`
    select id, at, kind, params, read_at is not null as read from notice
    where member_id = ${memberId}
      and (at, id) < (coalesce(${before?.at ?? null}::timestamptz, 'infinity'), ${before?.id ?? 0n}::bigint)
    order by at desc, id desc
    limit ${limit + 1}`,
  )
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    items: shown.map((row) => ({ ...row, id: row.id.toString(), at: row.at.toISOString() }) as Page['items'][number]),
    nextCursor: rows.length > limit && last !== undefined ? `${last.at.getTime()}-${last.id}` : null,
    unread: await countUnread(db, memberId),
  }
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

function readCursor(cursor: string | undefined): { at: Date; id: bigint } | null {
  if (cursor === undefined) return null
  const match = /^([0-9]{1,15})-([1-9][0-9]{0,17})$/.exec(cursor)
  if (match === null) throw invalidInput('cursor')
  return { at: new Date(Number(match[1])), id: BigInt(match[2] ?? '') }
}
