import { threadId } from 'node:worker_threads'
import { makeRoles } from '@candela/testing/postgres/roles'
import { startTemporaryPostgres } from '@candela/testing/postgres/temporary'
import { migrate } from '@candela/server/db/migrate'
import { type Database, openDatabase } from '@candela/server/db/open'
import { silentLog } from '@candela/server/kernel/log'
import { sql } from 'kysely'
import { addLeaseClock } from '../lease/lease-time.ts'

/** An empty database. `endConnections` ends all connections to it, as a killed Postgres does; later statements open new ones. */
export type Lent = { db: Database; url: string; endConnections: () => Promise<void> } & AsyncDisposable

/** Migrated databases without rows, created as needed. */
export type DatabasePool = AsyncDisposable & {
  url: string
  template: string
  /** Lends an empty database; disposing of it returns it. */
  open(): Promise<Lent>
}

/** Starts a Postgres that does not wait for the disk, with a migrated database as template. */
export async function startDatabasePool(): Promise<DatabasePool> {
  const { url, stop } = await startTemporaryPostgres('candela-simulation-')
  try {
    const template = 'candela_simulation'
    await using admin = openOne(url, 1)
    // Tests on it work as the servers' account.
    await makeRoles(admin.db, url)
    await sql`create database ${sql.id(template)}`.execute(admin.db)
    await using fresh = openOne(withName(url, template), 1)
    // Tests on mutated copies sign in as the servers’ account.
    await makeRoles(fresh.db, url)
    await migrate(fresh.db)
    await addLeaseClock(fresh.db)
    await keepMade(fresh.db)
    return { ...connectDatabasePool(url, template), [Symbol.asyncDispose]: stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Copies of the template on a Postgres that runs already. They are emptied and used again, which is faster than a new copy. */
export function connectDatabasePool(url: string, template: string): DatabasePool {
  const admin = openOne(url, 1)
  const all: ReturnType<typeof openOne>[] = []
  const free: { db: Database; url: string }[] = []
  const make = async (): Promise<{ db: Database; url: string }> => {
    // Threads of one process must not use the same names.
    const name = `candela_simulated_${process.pid}_${threadId}_${all.length + 1}`
    await sql`create database ${sql.id(name)} template ${sql.id(template)}`.execute(admin.db)
    const own = withName(url, name)
    const made = openOne(own, POOL)
    all.push(made)
    return { db: made.db, url: own }
  }
  return {
    url,
    template,
    async open() {
      const used = free.pop()
      if (used !== undefined) await empty(used.db)
      const lent = used ?? (await make())
      const { db } = lent
      return {
        ...lent,
        endConnections: () => endConnections(admin.db, db),
        [Symbol.asyncDispose]() {
          free.push(lent)
          return Promise.resolve()
        },
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([admin, ...all].map((one) => one[Symbol.asyncDispose]()))
    },
  }
}

/** Keeps a copy of what migrations have made, rows and numbers, in a schema of its own. */
async function keepMade(db: Database): Promise<void> {
  await sql`
    do $$
    declare
      v_name text;
      v_has_rows boolean;
    begin
      create schema made;
      create table made.sequence_value as select sequencename::text as name, last_value from pg_sequences where schemaname = 'public';
      for v_name in select tablename from pg_tables where schemaname = 'public' and tablename <> all(${NEVER_CHANGED}) loop
        execute format('select exists (select from public.%I)', v_name) into v_has_rows;
        if v_has_rows then execute format('create table made.%I as table public.%I', v_name, v_name); end if;
      end loop;
    end $$`.execute(db)
}

/** Tables of migrations that nothing changes. */
const NEVER_CHANGED = sql.raw(`array['schema_migration', 'fund', 'ledger_partition']`)

/** Brings every table and sequence to what migrations have made, while the triggers that forbid it are disabled. */
async function empty(db: Database): Promise<void> {
  await sql`
    do $$
    declare
      v_trigger record;
      v_name text;
    begin
      set local session_replication_role = replica;
      create temporary table disabled_trigger on commit drop as
        select tgrelid::regclass::text as owner, tgname as name from pg_trigger
        where tgenabled = 'A' and not tgisinternal;
      for v_trigger in select * from disabled_trigger loop
        execute format('alter table %s disable trigger %I', v_trigger.owner, v_trigger.name);
      end loop;
      for v_name in select tablename from pg_tables where schemaname = 'public' and tablename <> all(${NEVER_CHANGED}) loop
        execute format('delete from public.%I', v_name);
      end loop;
      for v_name in select tablename from pg_tables where schemaname = 'made' and tablename <> 'sequence_value' loop
        execute format('insert into public.%I overriding system value select * from made.%I', v_name, v_name);
      end loop;
      for v_name in select sequencename from pg_sequences where schemaname = 'public' loop
        execute format('alter sequence %I restart', v_name);
      end loop;
      perform setval(format('public.%I', name)::regclass, last_value) from made.sequence_value where last_value is not null;
      for v_trigger in select * from disabled_trigger loop
        execute format('alter table %s enable always trigger %I', v_trigger.owner, v_trigger.name);
      end loop;
    end $$`.execute(db)
}

async function endConnections(admin: Database, db: Database): Promise<void> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db)
  // Waits until each has ended.
  await sql`select pg_terminate_backend(pid, 60000) from pg_stat_activity where datname = ${rows[0]?.name}`.execute(
    admin,
  )
  // Connections that are not in use are noticed by being used.
  const works = async () =>
    (await Promise.allSettled(Array.from({ length: POOL }, () => sql`select 1`.execute(db)))).every(
      ({ status }) => status === 'fulfilled',
    )
  while (!(await works()));
}

/** Connections to each database. */
const POOL = 6

function openOne(url: string, poolSize: number) {
  // Nothing else uses this database: a statement that takes this long, even on a busy computer, waits for a lock of the same
  // simulation.
  const db = openDatabase({ url, log: silentLog(), poolSize, statementTimeout_ms: 60_000, connectTimeout_ms: 60_000 })
  return { db, [Symbol.asyncDispose]: () => db.destroy() }
}

function withName(url: string, name: string): string {
  const result = new URL(url)
  result.pathname = `/${name}`
  return result.href
}
