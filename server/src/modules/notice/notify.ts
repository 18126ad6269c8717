import { sql } from 'kysely'
import type { Notify } from '../../db/notify.ts'

/** See the type. */
export const notify: Notify = async (tx, ...notices) => {
  if (notices.length === 0) return
  await sql`
    insert into notice (member_id, kind, params, source, at)
    select member_id, kind, params::jsonb, source, at
    from unnest(
      ${notices.map(({ memberId }) => memberId)}::bigint[],
      ${notices.map(({ kind }) => kind)}::text[],
      ${notices.map(({ params }) => JSON.stringify(params))}::text[],
      ${notices.map(({ source }) => source)}::text[],
      ${notices.map(({ at }) => at)}::timestamptz[]
    ) as told(member_id, kind, params, source, at)
    on conflict (member_id, source) do nothing`.execute(tx)
}
