import { sql } from 'kysely'
import type { Database } from '@candela/server/db/open'

/** The account that servers use: it may what `candela_app` may (`server/src/db/grants.sql`), and owns nothing. */
const serverAccount = 'candela_server'

/**
 * Makes the roles that `grants.sql` gives rights to, before a database is migrated, and the servers' account with the password of the
 * cluster's own. May be repeated, also by several at once.
 */
export async function makeRoles(db: Database, url: string): Promise<void> {
  const password = decodeURIComponent(new URL(url).password)
  for (const role of ['candela_app nologin', 'candela_reader nologin', `${serverAccount} login in role candela_app`]) {
    await sql
      .raw(`do $$ begin create role ${role}; exception when duplicate_object or unique_violation then null; end $$`)
      .execute(db)
  }
  await sql`alter role ${sql.id(serverAccount)} password ${sql.lit(password)}`.execute(db)
}

/** The same database for the servers' account. */
export function asServer(url: string): string {
  const result = new URL(url)
  result.username = serverAccount
  return result.href
}
