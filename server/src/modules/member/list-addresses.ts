import type { Database } from '../../db/open.ts'

/** The next members after an id, in the order of their ids, with their wallets. */
export const listAddresses = (db: Database, after: bigint, limit: number): Promise<{ id: bigint; address: string }[]> =>
  db.selectFrom('member').select(['id', 'address']).where('id', '>', after).orderBy('id').limit(limit).execute()

/** The largest id of a member; zero when there are none. */
export async function lastMemberId(db: Database): Promise<bigint> {
  const row = await db.selectFrom('member').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
  return row?.id ?? 0n
}
