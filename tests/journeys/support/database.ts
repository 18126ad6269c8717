import { fromBaseUnits } from '@candela/protocol/money/money'
import { type Database, openDatabase } from '@candela/server/db/open'
import { silentLog } from '@candela/server/kernel/log'
import { memberBalances } from '@candela/server/ledger/balances'
import type { Product } from './products/product.ts'

type Somebody = { wallet: { address: `0x${string}` } }

/** Looks into the product's database, on connections of its own. */
export async function withDatabase<T>(
  { databaseUrl }: Pick<Product, 'databaseUrl'>,
  use: (db: Database) => Promise<T>,
): Promise<T> {
  const db = openDatabase({ url: databaseUrl, log: silentLog(), poolSize: 2 })
  try {
    return await use(db)
  } finally {
    await db.destroy()
  }
}

/** The member behind a wallet. @throws before the first sign-in */
export async function memberIdOf(db: Database, { wallet }: Somebody): Promise<bigint> {
  const member = db.selectFrom('member').select('id').where('address', '=', wallet.address.toLowerCase())
  return (await member.executeTakeFirstOrThrow()).id
}

/** Available JU of members in the ledger, as decimal texts. */
export function balancesOf(product: Product, ...people: Somebody[]): Promise<string[]> {
  return withDatabase(product, async (db) => {
    const balances: string[] = []
    for (const person of people)
      balances.push(fromBaseUnits((await memberBalances(db, await memberIdOf(db, person))).JU.available))
    return balances
  })
}

/** How many devices of a member the server takes for signed in. */
export function liveSessions(product: Product, { wallet }: Somebody): Promise<number> {
  return withDatabase(product, async (db) => {
    const live = await db
      .selectFrom('session')
      .innerJoin('member', 'member.id', 'session.member_id')
      .select('session.id')
      .where('member.address', '=', wallet.address.toLowerCase())
      .where('ended_at', 'is', null)
      .where('expires_at', '>', new Date())
      .execute()
    return live.length
  })
}
