import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { z } from 'zod'
import { queryRows } from './query-rows.ts'
import { reasonOf } from '../kernel/errors.ts'
import type { Log } from '../kernel/log.ts'
import type { Database } from './open.ts'

// Any constant that no other advisory lock of the database uses.
const LOCK_KEY = 726_001_734n
const HEARTBEAT_MS = 5_000
const lockRow = z.object({ ours: z.boolean() })
const RETRY_MS = 1_000

/** While it is held, no other server works on the same database. */
export type InstanceLock = {
  /** Rejects when another server has taken the lock; never resolves. */
  lost: Promise<never>
  release(): Promise<void>
}

/**
 * Keeps a second server off the same database by an advisory lock, which Postgres releases when our connection ends for
 * any reason. When the connection is lost, the lock is taken again as soon as Postgres answers.
 * @throws InstanceLockTaken when another server has it
 */
export async function acquireInstanceLock(db: Database, log: Log): Promise<InstanceLock> {
  const stopping = new AbortController()
  const lost = Promise.withResolvers<never>()
  // Without a handler here, a rejection that the caller does not listen to would end the process.
  lost.promise.catch(() => undefined)
  const first = Promise.withResolvers<void>()

  const holdOnOneConnection = () =>
    db.connection().execute(async (connection) => {
      const rows = await queryRows(connection, lockRow, sql`select pg_try_advisory_lock(${LOCK_KEY}) as ours`)
      if (rows[0]?.ours !== true) throw new InstanceLockTaken()
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
        await holdOnOneConnection()
      } catch (error) {
        first.reject(error)
        if (error instanceof InstanceLockTaken) return lost.reject(error)
        log.warn(
          { event: 'database.lock-lost', reason: reasonOf(error) },
          'the connection that holds the instance lock was lost; taking it again',
        )
        await sleep(RETRY_MS, undefined, { signal: stopping.signal }).catch(() => undefined)
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

/** Another server has the lock of this database. */
export class InstanceLockTaken extends Error {
  override readonly name = 'InstanceLockTaken'
  constructor() {
    super('another server is running on the same database')
  }
}
