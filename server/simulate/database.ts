import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@candela/server/db/embedded'
import { migrate } from '@candela/server/db/migrate'
import { type Database, openDatabase } from '@candela/server/db/open'
import { silentLog } from '@candela/server/kernel/log'
import { sql } from 'kysely'

/** Databases with the whole schema and no rows, as many as are asked for. */
export type DatabaseSource = AsyncDisposable & {
  url: string
  template: string
  /** One for one story. It is thrown away by `await using`. */
  open(): Promise<{ db: Database } & AsyncDisposable>
}

/** A Postgres of its own that does not wait for the disk. */
export async function startDatabases(): Promise<DatabaseSource> {
  const folder = await mkdtemp(join(tmpdir(), 'candela-simulation-'))
  const postgres = await startEmbeddedPostgres({ folder, durable: false })
  const stop = async () => {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const url = postgres.url()
    const template = 'candela_simulation'
    await using admin = openOne(url, 1)
    await sql`create database ${sql.id(template)}`.execute(admin.db)
    await using fresh = openOne(withName(url, template), 1)
    await migrate(fresh.db)
    return { ...databasesAt(url, template), [Symbol.asyncDispose]: stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Copies of a migrated database on a Postgres that somebody else runs. */
export function databasesAt(url: string, template: string): DatabaseSource {
  const admin = openOne(url, 1)
  let opened = 0
  return {
    url,
    template,
    async open() {
      const name = `candela_simulated_${process.pid}_${++opened}`
      await sql`create database ${sql.id(name)} template ${sql.id(template)}`.execute(admin.db)
      const { db } = openOne(withName(url, name), 6)
      return {
        db,
        async [Symbol.asyncDispose]() {
          await db.destroy()
          await sql`drop database if exists ${sql.id(name)} with (force)`.execute(admin.db)
        },
      }
    },
    [Symbol.asyncDispose]: () => admin[Symbol.asyncDispose](),
  }
}

function openOne(url: string, poolSize: number) {
  // A statement that waits this long waits for itself.
  const db = openDatabase({ url, log: silentLog(), poolSize, statementTimeout_ms: 5_000 })
  return { db, [Symbol.asyncDispose]: () => db.destroy() }
}

function withName(url: string, name: string): string {
  const result = new URL(url)
  result.pathname = `/${name}`
  return result.href
}
