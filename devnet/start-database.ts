import { join } from 'node:path'
import { migrate } from '@candela/server/db/migrate'
import { sql } from 'kysely'
import { type Database, openDatabase } from '@candela/server/db/open'
import { systemClock } from '@candela/server/kernel/clock'
import { silentLog } from '@candela/server/kernel/log'
import { startEmbeddedPostgres } from '@candela/testing/postgres/embedded'
import { supervise } from '@candela/testing/process/supervise'
import { asServer, makeRoles } from '@candela/testing/postgres/roles'
import { isPostgresVariable, type LauncherSettings } from './settings.ts'

type Log = (line: string) => void

/**
 * Starts the embedded Postgres, unless there is another, and prepares the database. Both URLs are undefined when it is not ours:
 * `url` is of the account that owns everything, `serverUrl` of the servers'.
 */
export async function startDatabase(
  { config, ownsDatabase, ownsChain, clockOffsetFile }: LauncherSettings,
  log: Log,
  signal: AbortSignal,
  cleanups: (() => Promise<void>)[],
): Promise<{ url: string | undefined; serverUrl: string | undefined; pid: () => number | undefined }> {
  let url: string | undefined
  let pid = noProcess
  if (ownsDatabase) {
    forgetPostgresVariables()
    const folder = join(config.dataDir, 'postgres')
    log('Starting Postgres')
    // A later run keeps the port, because the server has been given it.
    let port = 0
    const start = async () => {
      const postgres = await startEmbeddedPostgres({ folder, port })
      port = postgres.port
      url = postgres.url()
      return { pid: postgres.pid, exited: postgres.exited, stop: () => postgres.stop() }
    }
    const postgres = await supervise('Postgres', start, log, signal)
    cleanups.push(postgres.stop)
    pid = postgres.pid
  }
  signal.throwIfAborted()
  const ownerUrl = url ?? config.database.url
  const db = openDatabase({ url: ownerUrl, log: silentLog(), poolSize: 2 })
  try {
    if (ownsDatabase) await makeRoles(db, ownerUrl)
    const { applied } = await migrate(db)
    if (ownsDatabase) await giveQueueToServers(db)
    // Operators' acts have the database's time, which is moved as that of the chain is.
    if (clockOffsetFile !== undefined) await db.updateTable('installation').set({ clock_moves: true }).execute()
    if (applied.length > 0) log(`Prepared the database (${applied.length} migrations)`)
    // Everybody knows the first invitation code, so it is only added where the chain is a development chain.
    const { seed } = await import('./seed/seed.ts')
    const installation = { databaseUrl: ownerUrl, dataDir: config.dataDir, clock: systemClock }
    if (ownsChain && (await seed(installation)) > 0)
      log('Added operators, the first invitation code, plans and projects')
  } finally {
    await db.destroy()
  }
  return { url, serverUrl: ownsDatabase ? asServer(ownerUrl) : undefined, pid }
}

/**
 * The servers' account makes the queue of periodic tasks and owns it. One of before there was such an account is made anew: it holds nothing
 * but when each task runs next.
 */
async function giveQueueToServers(db: Database): Promise<void> {
  const { rows } = await sql`
    select from pg_namespace where nspname = 'graphile_worker' and nspowner = current_user::regrole`.execute(db)
  if (rows.length > 0) await sql`drop schema graphile_worker cascade`.execute(db)
}

/** Settings of the shell for another Postgres (`PGSSLMODE`, `PGOPTIONS` …): the driver would use them for ours. */
function forgetPostgresVariables(): void {
  for (const name of Object.keys(process.env)) if (isPostgresVariable(name)) delete process.env[name]
}

function noProcess(): number | undefined {
  return undefined
}
