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

/** When a member's account was made. */
export async function readJoinedAt(db: Database, memberId: bigint): Promise<Date> {
  const { joined_at } = await db
    .selectFrom('member')
    .select('joined_at')
    .where('id', '=', memberId)
    .executeTakeFirstOrThrow()
  return joined_at
}
