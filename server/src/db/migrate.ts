import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { queryRows } from './query-rows.ts'
import { z } from 'zod'
import { reasonOf } from '../kernel/errors.ts'
import type { Database } from './open.ts'
import type { Tables } from './tables/index.ts'

type Migration = { number: number; name: string; text: string; hash: string }

/** Where the product's own migrations are. */
export const migrationsFolder = join(import.meta.dirname, 'migrations')

// Any constant that no other advisory lock of the database uses.
const lockKey = 726_001_733n

/**
 * Brings the database to the latest schema and returns the names of the migrations that it applied. Two starters at
 * once are fine: the second waits, then has nothing to do.
 * @throws when an applied migration was changed, is missing, or a new one is numbered before an applied one.
 */
export async function migrate(db: Database, folder: string = migrationsFolder): Promise<string[]> {
  const migrations = await readMigrations(folder)
  return db.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection)
    await sql`select pg_advisory_lock(${lockKey})`.execute(connection)
    try {
      return await applyPending(connection, migrations)
    } finally {
      await sql`select pg_advisory_unlock(${lockKey})`.execute(connection)
      await sql`reset statement_timeout`.execute(connection)
    }
  })
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted()
  const migrations: Migration[] = []
  for (const name of names) {
    const number = Number(/^(\d{4})_[a-z0-9_]+\.sql$/.exec(name)?.[1])
    if (!number) throw new Error(`migration ${name}: the name must be like 0001_what_it_does.sql`)
    if (migrations.at(-1)?.number === number) throw new Error(`two migrations have the number ${number}`)
    const text = await readFile(join(folder, name), 'utf8')
    migrations.push({ number, name, text, hash: hashOf(text) })
  }
  return migrations
}

const appliedRow = z.object({ number: z.number(), name: z.string(), hash: z.string() })

async function applyPending(connection: Kysely<Tables>, migrations: Migration[]): Promise<string[]> {
  await sql`
    create table if not exists schema_migration (
      number     integer primary key,
      name       text not null,
      hash       text not null,
      applied_at timestamptz not null default now()
    )`.execute(connection)
  const recorded = await queryRows(
    connection,
    appliedRow,
    sql`
    select number, name, hash from schema_migration order by number`,
  )
  const applied = new Map(recorded.map((row) => [row.number, row]))
  const latest = recorded.at(-1)?.number ?? 0
  refuseMissing(recorded, migrations)
  const done: string[] = []
  for (const migration of migrations) {
    const before = applied.get(migration.number)
    if (before && before.hash !== migration.hash) {
      throw new Error(`migration ${migration.name} was changed after it was applied here; add a new one instead`)
    }
    if (before) continue
    if (migration.number < latest) {
      throw new Error(
        `migration ${migration.name} comes before ${latest}, which is applied already; give it a later number`,
      )
    }
    await applyOne(connection, migration)
    done.push(migration.name)
  }
  return done
}

function refuseMissing(recorded: { number: number; name: string }[], migrations: Migration[]): void {
  const known = new Set(migrations.map(({ number }) => number))
  const missing = recorded.find(({ number }) => !known.has(number))
  if (missing) throw new Error(`the database has migration ${missing.name}, which this version does not know`)
}

async function applyOne(connection: Kysely<Tables>, { number, name, text, hash }: Migration): Promise<void> {
  try {
    await connection.transaction().execute(async (tx) => {
      await sql.raw(text).execute(tx)
      await sql`insert into schema_migration (number, name, hash) values (${number}, ${name}, ${hash})`.execute(tx)
    })
  } catch (error) {
    throw new Error(`migration ${name} failed: ${reasonOf(error)}`, { cause: error })
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
