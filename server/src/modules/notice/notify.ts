import { sql } from 'kysely'
import type { Notice, Notify } from '../../db/notify.ts'
import type { Tx } from '../../db/open.ts'

/** Writes notices as the type `Notify` says. */
export const notify: Notify = (tx, ...notices) => insertNotices(tx, notices)

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
