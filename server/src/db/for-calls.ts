import type { PoolClient } from 'pg'
import { type Connections, type Database, databaseOn, type DatabaseOptions, openTypedPool } from './open.ts'

/** A call waits so long for what another transaction has locked, in milliseconds: longer than any transaction of ours takes. */
const LOCK_TIMEOUT_MS = 3_000
/** A command waits so long for a connection, in milliseconds: for two turns of others that wait for a lock. */
const CONNECTION_TIMEOUT_MS = 2 * LOCK_TIMEOUT_MS

/** No command has ended its turn in time. */
export class NoTurn extends Error {
  override readonly name = 'NoTurn'

  constructor() {
    super('all connections that commands may have were taken for too long')
  }
}

export type ForCalls = {
  /** May have all connections. */
  reads: Database
  /** Leaves a quarter of the connections to reads, so that these go on while commands wait for a lock. Fails with `NoTurn`. */
  commands: Database
}

/** One pool for all calls of a server. End it with `reads.destroy()`. */
export function openForCalls(options: DatabaseOptions & { poolSize: number }): ForCalls {
  const pool = openTypedPool({ lockTimeout_ms: LOCK_TIMEOUT_MS, ...options })
  const limit = options.poolSize - Math.ceil(options.poolSize / 4)
  return { reads: databaseOn(pool), commands: databaseOn(partOf(pool, limit)) }
}

/** So many of the connections at a time; who comes first has the first that is given back. */
export function partOf(pool: Connections, limit: number, wait_ms = CONNECTION_TIMEOUT_MS): Connections {
  let taken = 0
  const waiting = new Set<() => void>()
  const releaseTurn = (): void => {
    taken -= 1
    const [next] = waiting
    next?.()
  }

  function turn(): Promise<void> {
    if (taken < limit) {
      taken += 1
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(take)
        reject(new NoTurn())
      }, wait_ms)
      const take = (): void => {
        waiting.delete(take)
        clearTimeout(timer)
        taken += 1
        resolve()
      }
      waiting.add(take)
    })
  }

  return {
    async connect(): Promise<PoolClient> {
      await turn()
      try {
        const client = await pool.connect()
        const release = client.release.bind(client)
        client.release = (error) => {
          releaseTurn()
          release(error)
        }
        return client
      } catch (error) {
        releaseTurn()
        throw error
      }
    },
    // The pool is ended by those who may have all of it.
    end: () => Promise.resolve(),
    options: pool.options,
  }
}
