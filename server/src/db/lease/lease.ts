import { sql } from 'kysely'
import { z } from 'zod'
import { must } from '../../kernel/assert.ts'
import type { Log } from '../../kernel/log.ts'
import { type Database, openDatabase, sqlState, transaction, type Tx } from '../open.ts'
import { queryRows } from '../query-rows.ts'

/** The server that takes an expired lease waits this long for transactions under it, and then terminates them. */
const MAX_WAIT_MS = 100
/** Result of trying to take a lease: it is ours now, or it names the holder. */
export type Taking = { isTaken: boolean; holder: string; number: bigint }

/** One name of the table `lease`, for one server. It uses connections of its own, so that no other work delays it. */
export type Lease = {
  /** Takes the lease if nobody has it. @throws what the database throws */
  take(): Promise<Taking>
  /** Prolongs it; false when another server has taken it. @throws what the database throws */
  prolong(number: bigint): Promise<boolean>
  /** Lets another server have it at once. */
  release(number: bigint): Promise<void>
  /** The time of the database. @throws what the database throws */
  time(): Promise<Date>
  close(): Promise<void>
  /** One that is not prolonged for this long may be taken by another server, by the clock of the database. */
  readonly duration_ms: number
}

export type LeaseOptions = {
  url: string
  name: string
  /** Host and process, for people. */
  holder: string
  log: Log
  isPrepared?: boolean
  duration_ms: number
}

export function openLease(options: LeaseOptions): Lease {
  const { url, log, isPrepared = true, duration_ms } = options
  // After this the lease may expire before another answer could prolong it.
  const limit_ms = duration_ms / 2
  const open = () =>
    openDatabase({
      url,
      log,
      isPrepared,
      poolSize: 2,
      statementTimeout_ms: limit_ms,
      connectTimeout_ms: limit_ms,
      answerLimit_ms: limit_ms,
    })
  let db = open()
  const ask = async <T>(statement: (db: Database) => Promise<T>): Promise<T> => {
    try {
      return await statement(db)
    } catch (error) {
      // Its connections may be those of a network that is gone and never answer again.
      db.destroy().catch(() => undefined)
      db = open()
      throw error
    }
  }
  return {
    take: () => ask((own) => takeLease(own, options)),
    prolong: (number) => ask((own) => prolongLease(own, options, number)),
    release: (number) => ask((own) => releaseLease(own, options, number)),
    time: () => ask(readTime),
    close: () => db.destroy(),
    duration_ms,
  }
}

const readTime = async (db: Database): Promise<Date> => {
  const rows = await queryRows(db, z.object({ time: z.date() }), sql`select clock_timestamp() as time`)
  return must(rows[0], 'the database tells its time').time
}

const leaseRow = z.object({ holder: z.string(), number: z.bigint(), is_over: z.boolean() })

/**
 * Reads the holder of the lease; `is_over`: it has expired, and the next server that asks takes it. Undefined before it was first
 * taken.
 */
export async function readLease(db: Database, name: string): Promise<z.output<typeof leaseRow> | undefined> {
  const [row] = await queryRows(
    db,
    leaseRow,
    sql`select holder, number, expires_at <= clock_timestamp() as is_over from lease where name = ${name}`,
  )
  return row
}

type Terms = Pick<LeaseOptions, 'name' | 'holder' | 'duration_ms'>

/** `make_interval` of how long it lasts. */
const lasting = ({ duration_ms }: Terms) => sql`make_interval(secs => ${duration_ms / 1_000}::double precision)`

/**
 * Takes the lease under the next number if it has expired. No transaction that the holder before has begun under it is
 * open then: those that do not end within a moment are ended by force. Their holder has not prolonged the lease for
 * longer than it lasts, so it is paused, cut off or dead.
 */
export async function takeLease(db: Database, terms: Terms): Promise<Taking> {
  for (;;) {
    const before = await readLease(db, terms.name)
    if (before !== undefined && !before.is_over) return { isTaken: false, holder: before.holder, number: before.number }
    try {
      return await transaction(db, (tx) => takeNow(tx, terms))
    } catch (error) {
      // 55P03: the lock was not free in time.
      if (sqlState(error) !== '55P03') throw error
      await endFenced(db)
    }
  }
}

async function takeNow(tx: Tx, terms: Terms): Promise<Taking> {
  await sql`select set_config('lock_timeout', ${`${MAX_WAIT_MS}ms`}, true)`.execute(tx)
  await sql`lock table lease in exclusive mode`.execute(tx)
  const { name, holder } = terms
  const taken = await queryRows(
    tx,
    leaseRow.pick({ number: true }),
    sql`
    insert into lease as l (name, holder, number, expires_at)
    values (${name}, ${holder}, 1, clock_timestamp() + ${lasting(terms)})
    on conflict (name) do update
      set holder = excluded.holder, number = l.number + 1, expires_at = excluded.expires_at
      where l.expires_at <= clock_timestamp()
    returning number`,
  )
  const [row] = taken
  if (row !== undefined) return { isTaken: true, holder, number: row.number }
  const other = must(await readLease(tx, name), 'a lease that was not free has a holder')
  return { isTaken: false, holder: other.holder, number: other.number }
}

/** Ends the sessions that have a transaction open under a lease. Postgres lets every account end those of its own. */
async function endFenced(db: Database): Promise<void> {
  await sql`
    select pg_terminate_backend(pid) from pg_locks
    where locktype = 'relation' and relation = 'lease'::regclass and mode = 'RowShareLock' and granted
      and database = (select oid from pg_database where datname = current_database())`.execute(db)
}

/** As `Lease.prolong`. A lease that has expired and that nobody has taken is prolonged too. */
export async function prolongLease(db: Database, terms: Terms, number: bigint): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('lease')
    .set({ expires_at: sql<Date>`clock_timestamp() + ${lasting(terms)}` })
    .where('name', '=', terms.name)
    .where('number', '=', number)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

async function releaseLease(db: Database, { name }: Terms, number: bigint): Promise<void> {
  await db
    .updateTable('lease')
    .set({ expires_at: sql<Date>`clock_timestamp()` })
    .where('name', '=', name)
    .where('number', '=', number)
    .execute()
}
