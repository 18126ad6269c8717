import { migrate } from '../../db/migrate.ts'
import type { Database } from '../../db/open.ts'
import { stopwatch } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'

/** Brings the database to the latest schema with an account that owns it, and says what was done. */
export async function migrateWithLog(db: Database, log: Log): Promise<void> {
  const migration_ms = stopwatch()
  const { applied, newer } = await migrate(db)
  reportNewer(newer, log)
  if (applied.length === 0) return
  const durationMs = Math.round(migration_ms())
  log.info({ event: 'database.migrated', applied, durationMs }, 'migrated the database')
}

export function reportNewer(newer: readonly string[], log: Log): void {
  if (newer.length === 0) return
  log.info({ event: 'database.newer', newer }, 'the database is of a newer version, beside which this one works')
}
