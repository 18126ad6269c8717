import { join } from 'node:path'
import { migrate } from '@candela/server/db/migrate'
import { openDatabase } from '@candela/server/db/open'
import { systemClock } from '@candela/server/kernel/clock'
import { silentLog } from '@candela/server/kernel/log'
import { startEmbeddedPostgres } from '@candela/testing/postgres/embedded'
import { supervise } from '@candela/testing/process/supervise'
import { seed } from './seed/seed.ts'
import type { LauncherSettings } from './settings.ts'

type Log = (line: string) => void

/**
 * Starts the embedded Postgres, unless there is another, and prepares the database. `url` is undefined when it is not ours.
 */
export async function startDatabase(
  { config, ownsDatabase, ownsChain }: LauncherSettings,
  log: Log,
  signal: AbortSignal,
  cleanups: (() => Promise<void>)[],
): Promise<{ url: string | undefined; pid: () => number | undefined }> {
  let url: string | undefined
  let pid = noProcess
  if (ownsDatabase) {
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
  const db = openDatabase({ url: url ?? config.database.url, log: silentLog(), poolSize: 2 })
  try {
    const { applied } = await migrate(db)
    if (applied.length > 0) log(`Prepared the database (${applied.length} migrations)`)
    // Everybody knows the first invitation code, so it is only added where the chain is a development chain.
    const installation = { databaseUrl: url ?? config.database.url, dataDir: config.dataDir, clock: systemClock }
    if (ownsChain && (await seed(installation)) > 0)
      log('Added operators, the first invitation code, plans and projects')
  } finally {
    await db.destroy()
  }
  return { url, pid }
}

function noProcess(): number | undefined {
  return undefined
}
