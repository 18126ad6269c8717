import type { NoticeContent } from '@candela/protocol/notices'
import { sql } from 'kysely'
import type { Tx } from '../../db/open.ts'

/** Something that a member is to be told. The app shows it in the reader's language. */
export type Notice = NoticeContent & {
  memberId: bigint
  /** The event that it tells of, such as "withdrawal:20260101ABC:done": each member is told of it once. */
  source: string
  at: Date
}

/**
 * Writes notices in the transaction of what they tell, so that neither is without the other. One statement for any
 * number; one that was written before is left as it is.
 */
export const notify = (tx: Tx, ...notices: readonly Notice[]): Promise<void> => insertNotices(tx, notices)

/** A notice may be written as read already, with the time at which it was. */
export async function insertNotices(tx: Tx, notices: readonly (Notice & { readAt?: Date | null })[]): Promise<void> {
  if (notices.length === 0) return
  await sql`
    insert into notice (member_id, kind, params, source, at, read_at)
    select member_id, kind, params::jsonb, source, at, read_at
    from unnest(
      ${notices.map(({ memberId }) => memberId)}::bigint[],
      ${notices.map(({ kind }) => kind)}::text[],
      ${notices.map(({ params }) => JSON.stringify(params))}::text[],
      ${notices.map(({ source }) => source)}::text[],
      ${notices.map(({ at }) => at)}::timestamptz[],
      ${notices.map(({ readAt }) => readAt ?? null)}::timestamptz[]
    ) as told(member_id, kind, params, source, at, read_at)
    on conflict (member_id, source) do nothing`.execute(tx)
}
