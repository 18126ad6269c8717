import type { Database } from '../../db/open.ts'

export async function countMembers(db: Database): Promise<number> {
  const { count } = await db
    .selectFrom('member')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}
