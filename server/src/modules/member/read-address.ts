import type { Database } from '../../db/open.ts'

/** The wallet of a member, lower case. */
export async function readAddress(db: Database, memberId: bigint): Promise<string> {
  const { address } = await db
    .selectFrom('member')
    .select('address')
    .where('id', '=', memberId)
    .executeTakeFirstOrThrow()
  return address
}
