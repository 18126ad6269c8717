import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { queryRows } from './query-rows.ts'
import { z } from 'zod'
import { reasonOf } from '../kernel/errors.ts'
import { advisoryLocks } from './advisory-locks.ts'
import type { Database } from './open.ts'
import type { Tables } from './tables/index.ts'

type Migration = {
  number: number
  name: string
  text: string
  hash: string
  /** Servers whose last migration is this one or a later one run beside those that have this migration; null: none do. */
  worksFrom: number | null
}

/** The first migration whose header says which servers may go on running while it is applied and afterwards. */
export const FIRST_DECLARED = 430

/** Where the product's own migrations are. */
export const migrationsFolder = join(import.meta.dirname, 'migrations')

/** The rights of accounts that do not own the tables. */
const grantsFile = join(import.meta.dirname, 'grants.sql')

export type Migrated = {
  /** The names of the migrations that were applied now. */
  applied: string[]
  /** The names of those of a newer version, beside which this one works. */
  newer: string[]
}

/**
 * Brings the database to the latest schema. Two starters at once are fine: the second waits, then has nothing to do. A
 * database that a newer version has migrated is left as it is, when the newer migrations say that this version works beside it.
 * @throws when an applied migration was changed or is missing, a new one is numbered before an applied one, or a newer one does
 * not work with this version.
 */
export async function migrate(db: Database, folder: string = migrationsFolder): Promise<Migrated> {
  const migrations = await readMigrations(folder)
  return db.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection)
    // "$user" is a schema with the name of this account. Another account may have made it, with functions that would act for this one.
    await sql`
      select set_config('search_path', regexp_replace(current_setting('search_path'), '"\\$user",? *', ''), false)`.execute(
      connection,
    )
    await sql`select pg_advisory_lock(${advisoryLocks.migrations})`.execute(connection)
    // A migration that waits for a table makes everybody else wait behind it: so it gives up, and can be tried again.
    await sql`set lock_timeout = '3s'`.execute(connection)
    try {
      const migrated = await applyPending(connection, migrations)
      if (folder === migrationsFolder) await sql.raw(await readFile(grantsFile, 'utf8')).execute(connection)
      return migrated
    } finally {
      await sql`select pg_advisory_unlock(${advisoryLocks.migrations})`.execute(connection)
      await sql`reset lock_timeout`.execute(connection)
      await sql`reset search_path`.execute(connection)
      await sql`reset statement_timeout`.execute(connection)
    }
  })
}

/** Whether this account may change the schema. The account of a server that does not own the tables may not. */
export async function mayMigrate(db: Database): Promise<boolean> {
  const [row] = await queryRows(
    db,
    z.object({ may: z.boolean() }),
    sql`select has_schema_privilege(current_schema(), 'create') as may`,
  )
  return row?.may === true
}

/**
 * Finds what `migrate` finds when there is nothing to apply, for an account that may only read which migrations were applied.
 * @throws when one is missing, was changed, or a newer one does not work with this version
 */
export async function checkMigrated(db: Database, folder: string = migrationsFolder): Promise<Migrated> {
  const migrations = await readMigrations(folder)
  const [table] = await queryRows(
    db,
    z.object({ found: z.boolean() }),
    sql`select to_regclass('schema_migration') is not null as found`,
  )
  const recorded = table?.found === true ? await readApplied(db) : []
  const applied = new Map(recorded.map((row) => [row.number, row]))
  const missing = migrations.find(({ number }) => !applied.has(number))
  if (missing !== undefined) {
    throw new Error(
      `the database lacks migration ${missing.name}: run \`npm run migrate\` with the account that owns its tables`,
    )
  }
  for (const migration of migrations) expectUnchanged(migration, applied.get(migration.number))
  return { applied: [], newer: newerOf(recorded, migrations) }
}

const readApplied = (db: Database): Promise<AppliedRow[]> =>
  queryRows(db, appliedRow, sql`select number, name, hash, works_from from schema_migration order by number`)

function expectUnchanged({ name, hash }: Migration, applied: AppliedRow | undefined): void {
  if (applied === undefined || applied.hash === hash) return
  throw new Error(`migration ${name} was changed after it was applied here; add a new one instead`)
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted()
  const migrations: Migration[] = []
  for (const name of names) {
    const number = Number(/^(\d{4})_[a-z0-9_]+\.sql$/.exec(name)?.[1])
    if (!number) throw new Error(`migration ${name}: the name must be like 0001_what_it_does.sql`)
    if (migrations.at(-1)?.number === number) throw new Error(`two migrations have the number ${number}`)
    const text = await readFile(join(folder, name), 'utf8')
    const worksFrom = readWorksFrom(name, text, migrations)
    migrations.push({ number, name, text, hash: hashOf(text), worksFrom })
  }
  return migrations
}

/**
 * Reads the header: `-- previous version: works` (servers that know the migration before this one run on), `-- previous version: works
 * from 0430 on`, or `-- previous version: must be stopped`. Without a line, as in the first ones, none runs on.
 * @throws for a line that says something else, or names no earlier migration
 */
function readWorksFrom(name: string, text: string, earlier: readonly Migration[]): number | null {
  const said = /^-- previous version: *(.*)$/m.exec(text)?.[1]
  if (said === undefined || said === 'must be stopped') return null
  if (said === 'works') return earlier.at(-1)?.number ?? null
  const number = Number(/^works from (\d{4}) on$/.exec(said)?.[1])
  if (earlier.some((migration) => migration.number === number)) return number
  throw new Error(`migration ${name}: "previous version: ${said}" names no earlier migration`)
}

const appliedRow = z.object({
  number: z.number(),
  name: z.string(),
  hash: z.string(),
  works_from: z.number().nullable(),
})
type AppliedRow = z.infer<typeof appliedRow>

async function applyPending(connection: Kysely<Tables>, migrations: Migration[]): Promise<Migrated> {
  await sql`
    create table if not exists schema_migration (
      number     integer primary key,
      name       text not null,
      hash       text not null,
      works_from integer,
      applied_at timestamptz not null default now()
    )`.execute(connection)
  // An older version has made the table without this column. Without it nothing is known, and then no older version may start.
  await sql`alter table schema_migration add column if not exists works_from integer`.execute(connection)
  const recorded = await readApplied(connection)
  const applied = new Map(recorded.map((row) => [row.number, row]))
  const latest = recorded.at(-1)?.number ?? 0
  const newer = newerOf(recorded, migrations)
  const done: string[] = []
  for (const migration of migrations) {
    const before = applied.get(migration.number)
    expectUnchanged(migration, before)
    if (before) continue
    if (migration.number < latest) {
      throw new Error(
        `the database has migration ${latest} but not ${migration.name}, which comes before it: it was made by a version that was never ` +
          `released. Begin development anew without its DATA_DIR; a migration of your own needs a later number`,
      )
    }
    await applyOne(connection, migration)
    done.push(migration.name)
  }
  return { applied: done, newer }
}

/** The names of those that a newer version has applied. @throws for one that this version does not work with */
function newerOf(recorded: readonly AppliedRow[], migrations: readonly Migration[]): string[] {
  const known = new Set(migrations.map(({ number }) => number))
  const last = migrations.at(-1)?.number ?? 0
  const unknown = recorded.filter(({ number }) => !known.has(number))
  for (const { name, number, works_from } of unknown) {
    if (number > last && works_from !== null && works_from <= last) continue
    throw new Error(`the database has migration ${name}, which this version does not know and does not work with`)
  }
  return unknown.map(({ name }) => name)
}

async function applyOne(connection: Kysely<Tables>, { number, name, text, hash, worksFrom }: Migration): Promise<void> {
  try {
    await connection.transaction().execute(async (tx) => {
      await sql.raw(text).execute(tx)
      await sql`
        insert into schema_migration (number, name, hash, works_from)
        values (${number}, ${name}, ${hash}, ${worksFrom})`.execute(tx)
    })
  } catch (error) {
    throw new Error(`migration ${name} failed: ${reasonOf(error)}`, { cause: error })
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
