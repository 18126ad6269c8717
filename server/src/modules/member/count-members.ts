import { sql } from 'kysely'
import type { Database } from '../../db/open.ts'

/** How many members there are: the sum of the changes that triggers note, of which there are few. */
export async function countMembers(db: Database): Promise<number> {
  const { count } = await db
    .selectFrom('member_count')
    .select(({ fn }) => fn.sum<bigint | null>('change').as('count'))
    .executeTakeFirstOrThrow()
  return Number(count ?? 0n)
}

/** Puts the changes together into one. Several at once are fine: each row is taken by one of them. */
export async function foldMemberCount(db: Database): Promise<void> {
  await sql`
    with taken as (delete from member_count returning change)
    insert into member_count select sum(change) from taken having count(*) > 0`.execute(db)
}

/** How many accounts go again unless something is paid in; counted up to `most`. */
export async function countLeaving(db: Database, most: number): Promise<number> {
  const { count } = await db
    .selectFrom(db.selectFrom('member').select('id').where('leaves_at', 'is not', null).limit(most).as('leaving'))
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}
