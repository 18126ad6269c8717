import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { discardEmbeddedPostgres, startEmbeddedPostgres } from '@candela/server/db/embedded'
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

const prefix = 'candela-simulation-'

/** A run that was killed leaves its Postgres. A folder without an owner yet is somebody's who is just starting. */
async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const folder = join(tmpdir(), name)
    if (!name.startsWith(prefix) || !existsSync(join(folder, 'owner.json'))) continue
    try {
      await discardEmbeddedPostgres(folder)
    } catch {
      // Another run is using it, or it is another user's: not ours to clean.
    }
  }
}

/** A Postgres of its own that does not wait for the disk. */
export async function startDatabases(): Promise<DatabaseSource> {
  await removeAbandoned()
  const folder = await mkdtemp(join(tmpdir(), prefix))
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

/** Copies of a migrated database on a Postgres that somebody else runs, emptied and used again by one story after another. */
export function databasesAt(url: string, template: string): DatabaseSource {
  const admin = openOne(url, 1)
  const all: ReturnType<typeof openOne>[] = []
  const free: Database[] = []
  const make = async (): Promise<Database> => {
    const name = `candela_simulated_${process.pid}_${all.length + 1}`
    await sql`create database ${sql.id(name)} template ${sql.id(template)}`.execute(admin.db)
    const made = openOne(withName(url, name), 6)
    all.push(made)
    return made.db
  }
  return {
    url,
    template,
    async open() {
      const used = free.pop()
      if (used !== undefined) await empty(used)
      const db = used ?? (await make())
      return {
        db,
        [Symbol.asyncDispose]() {
          free.push(db)
          return Promise.resolve()
        },
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([admin, ...all].map((one) => one[Symbol.asyncDispose]()))
    },
  }
}

/** Takes every row away and lets every sequence begin anew; the triggers that forbid it are back afterwards. */
async function empty(db: Database): Promise<void> {
  await sql`
    do $$
    declare
      v_trigger record;
      v_name text;
    begin
      set local session_replication_role = replica;
      create temporary table guard on commit drop as
        select tgrelid::regclass::text as owner, tgname as name from pg_trigger
        where tgenabled = 'A' and not tgisinternal;
      for v_trigger in select * from guard loop
        execute format('alter table %s disable trigger %I', v_trigger.owner, v_trigger.name);
      end loop;
      for v_name in select format('%I', tablename) from pg_tables where schemaname = 'public' and tablename <> 'schema_migration' loop
        execute 'delete from ' || v_name;
      end loop;
      for v_name in select format('%I', sequencename) from pg_sequences where schemaname = 'public' loop
        execute format('alter sequence %s restart', v_name);
      end loop;
      for v_trigger in select * from guard loop
        execute format('alter table %s enable always trigger %I', v_trigger.owner, v_trigger.name);
      end loop;
    end $$`.execute(db)
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
