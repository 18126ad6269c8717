import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from './db/open.ts'
import { reasonOf } from './kernel/errors.ts'
import type { Log } from './kernel/log.ts'

// Any constant will do, as long as nothing else in the database locks the same one.
const LOCK_KEY = 726_001_734n
const HEARTBEAT_MS = 5_000

/** While it is held, no other server works on the same database. */
export type Hold = {
  /** Rejects when another server has taken the database over; never resolves. */
  lost: Promise<never>
  release(): Promise<void>
}

/**
 * Keeps a second copy off the same database by an advisory lock, which Postgres gives back when we are gone, however
 * that happens. A lost connection is not a lost database: it is taken again as soon as Postgres answers.
 * @throws when another server holds the database
 */
export async function holdDatabase(db: Database, log: Log): Promise<Hold> {
  const stopping = new AbortController()
  const lost = Promise.withResolvers<never>()
  // Whoever does not listen must not die of it.
  lost.promise.catch(() => undefined)
  const first = Promise.withResolvers<void>()

  const holdOnce = () =>
    db.connection().execute(async (connection) => {
      const { rows } = await sql<{ ours: boolean }>`select pg_try_advisory_lock(${LOCK_KEY}) as ours`.execute(
        connection,
      )
      if (rows[0]?.ours !== true) throw new DatabaseTaken()
      first.resolve()
      try {
        while (!stopping.signal.aborted) {
          await sleep(HEARTBEAT_MS, undefined, { signal: stopping.signal }).catch(() => undefined)
          await sql`select 1`.execute(connection)
        }
      } finally {
        await sql`select pg_advisory_unlock(${LOCK_KEY})`.execute(connection)
      }
    })

  const hold = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        await holdOnce()
      } catch (error) {
        first.reject(error)
        if (error instanceof DatabaseTaken) return lost.reject(error)
        log.warn(
          { event: 'database.lock-lost', reason: reasonOf(error) },
          'the connection that locks the database was lost; taking the lock again',
        )
        await sleep(1_000, undefined, { signal: stopping.signal }).catch(() => undefined)
      }
    }
  }

  const ended = hold()
  const release = async () => {
    stopping.abort()
    await ended
  }
  try {
    await first.promise
  } catch (error) {
    await release()
    throw error
  }
  return { lost: lost.promise, release }
}

/** Another server works on this database. */
export class DatabaseTaken extends Error {
  override readonly name = 'DatabaseTaken'
  constructor() {
    super('another server is running on the same database')
  }
}
