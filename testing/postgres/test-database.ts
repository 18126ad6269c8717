import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { inject } from 'vitest'
import { silentLog } from '@candela/server/kernel/log'
import { asServer, makeRoles } from './roles.ts'
import { HANGS_AFTER_MS } from '../limits.ts'
import { migrate } from '@candela/server/db/migrate'
import { type Database, openDatabase } from '@candela/server/db/open'

/** Not the limits of production, which a busy machine may reach without a fault. */
export const patientPool = { statementTimeout_ms: HANGS_AFTER_MS, connectTimeout_ms: HANGS_AFTER_MS } as const

const open = (of: string, poolSize: number) =>
  openDatabase({ url: of, log: silentLog(), poolSize, checkRows: true, ...patientPool })

/** A database of its own for one test or one test file, with the whole schema and no rows. */
export type TestDatabase = AsyncDisposable & {
  /** The connection of the servers' account, as in production; with `asOwner` of the account that owns the tables, which may more. */
  db: Database
  url: string
  /** The connection of the account that owns the tables, for what no server does. */
  owner: Database
  /** Closes the pool and drops the database. Also called by `await using`. */
  drop(): Promise<void>
}

/** Copies the migrated template (about 60 ms in memory). Use `await using`, or call `drop()` in `afterAll`. */
export async function createTestDatabase(
  options: {
    poolSize?: number
    /** For a test that does what nobody of the service may, such as to change an entry: `db` and `url` are the owner's in any case. */
    asOwner?: boolean
  } = {},
): Promise<TestDatabase> {
  const { url: cluster, template } = inject('testCluster')
  const name = `candela_test_${randomBytes(8).toString('hex')}`
  await sql`create database ${sql.id(name)} template ${sql.id(template)} strategy file_copy`.execute(
    administration(cluster),
  )
  // The rights of an account on a database are not copied with it.
  await sql`grant create, temporary on database ${sql.id(name)} to candela_app`.execute(administration(cluster))
  const ownerUrl = withDatabase(cluster, name)
  const url = options.asOwner === true ? ownerUrl : asServer(ownerUrl)
  const db = open(url, options.poolSize ?? 8)
  const owner = url === ownerUrl ? db : open(ownerUrl, 2)
  const close = () => Promise.all([...new Set([db, owner])].map((one) => one.destroy()))
  let dropping: Promise<void> | undefined
  const drop = (): Promise<void> => (dropping ??= close().then(() => dropWith(administration(cluster), name)))
  return { db, url, owner, drop, [Symbol.asyncDispose]: drop }
}

/** Creates and migrates a database that others are copied from. Returns its name. */
export async function createTemplate(cluster: string, migrations?: string): Promise<string> {
  const name = `candela_template_${randomBytes(8).toString('hex')}`
  await onCluster(cluster, async (db) => {
    await makeRoles(db, cluster)
    await sql`create database ${sql.id(name)}`.execute(db)
  })
  const db = openDatabase({ url: withDatabase(cluster, name), log: silentLog(), poolSize: 1, ...patientPool })
  try {
    await migrate(db, migrations)
  } finally {
    // A template with an open connection cannot be copied.
    await db.destroy()
  }
  return name
}

export async function dropDatabase(cluster: string, name: string): Promise<void> {
  await onCluster(cluster, (db) => dropWith(db, name))
}

async function dropWith(db: Database, name: string): Promise<void> {
  await sql`drop database if exists ${sql.id(name)} with (force)`.execute(db)
}

const administrations = new Map<string, Database>()

/** The connection on which this thread's databases are made: a new one each time costs as much as the copy. */
function administration(cluster: string): Database {
  const db =
    administrations.get(cluster) ?? openDatabase({ url: cluster, log: silentLog(), poolSize: 1, ...patientPool })
  administrations.set(cluster, db)
  return db
}

async function onCluster(url: string, use: (db: Database) => Promise<void>): Promise<void> {
  const db = openDatabase({ url, log: silentLog(), poolSize: 1, ...patientPool })
  try {
    await use(db)
  } finally {
    await db.destroy()
  }
}

function withDatabase(url: string, name: string): string {
  const result = new URL(url)
  result.pathname = `/${name}`
  return result.href
}

/** How many sessions of the database wait for a lock now. */
export async function lockWaits(db: Database): Promise<number> {
  const { rows } = await sql<{ n: bigint }>`
    select count(*) as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
    db,
  )
  return Number(rows[0]?.n)
}

/**
 * Waits until all transactions that run now have ended, also those of other databases: Postgres counts them together, and what
 * waits until no transaction can add below it (sealing, counting days) waits for those of other tests too.
 */
export async function othersEnded(db: Database): Promise<void> {
  const { rows } = await sql<{ now: string }>`select pg_snapshot_xmax(pg_current_snapshot())::text as now`.execute(db)
  const oldest = async () => {
    const found = await sql<{ oldest: string }>`select pg_snapshot_xmin(pg_current_snapshot())::text as oldest`.execute(
      db,
    )
    return BigInt(found.rows[0]?.oldest ?? '0')
  }
  while ((await oldest()) < BigInt(rows[0]?.now ?? '0')) await sleep(10)
}

/** From now on everything is booked at this time, until another is set; without one by the clock again. @param owner of the tables */
export async function bookAt(owner: Database, at?: Date): Promise<void> {
  const time = at === undefined ? sql`clock_timestamp()` : sql`${sql.lit(at.toISOString())}::timestamptz`
  await sql`create or replace function ledger_clock() returns timestamptz language sql volatile return ${time}`.execute(
    owner,
  )
}
