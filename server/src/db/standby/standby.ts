import { setTimeout as sleep } from 'node:timers/promises'
import { stopwatch, within } from '../../kernel/clock.ts'
import { isAppError, reasonOf } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import { type Database, openDatabase, sqlState } from '../open.ts'
import { readIdentity, readPrimaryPosition, readStandbyPosition, type WalPosition } from './position.ts'

/** Reads that a standby may answer. Whatever a standby does not answer in time, or not well, the primary does. */
export type StandbyReads = {
  /**
   * Runs `read` where everything up to `position` of the primary's log can be seen. On a standby all its statements have one
   * connection. It may run twice, so it must only read. Without a position it runs on the primary.
   */
  at<T>(position: WalPosition | undefined, read: (db: Database) => Promise<T>): Promise<T>
  /** Runs `read` where everything can be seen that was committed `MAX_AGE_MS` ago. */
  recent<T>(read: (db: Database) => Promise<T>): Promise<T>
}

export type Standby = StandbyReads & {
  /** False while all reads go to the primary. */
  isUsed(): boolean
  stop(): Promise<void>
}

export type StandbyOptions = {
  primary: Database
  /** Leads to a standby, or to another one with each connection. */
  url: string
  poolSize: number
  isPrepared: boolean
  log: Log
  /** Told of each read where it was answered. */
  onRead: (from: 'standby' | 'primary') => void
}

/** All times in milliseconds. How old the state of a read without a position may be. */
export const MAX_AGE_MS = 1_000
/** Between two looks at how far primary and standby are. */
const LOOK_EVERY_MS = 500
/** How long a read waits for the standby to come as far as wanted, before it goes to the primary. */
const CATCH_UP_MS = 250
const CONNECT_LIMIT_MS = 500
const STATEMENT_LIMIT_MS = 2_000
/** Good looks, one after the other, before a standby that failed is used again. */
const GOOD_LOOKS = 3

/** Has the primary answer everything: for a server without a standby. */
export const primaryReads = (db: Database): StandbyReads => ({
  at: (_position, read) => read(db),
  recent: (read) => read(db),
})

/** A standby that is not where it should be, or not there. */
class Unusable extends Error {
  override readonly name = 'Unusable'
}

/**
 * Looks twice a second whether the standby keeps up and uses it while it does. Every read also asks the connection that it
 * reads on, because the address may lead to several standbys.
 */
export function openStandby(options: StandbyOptions): Standby {
  const { primary, log, onRead } = options
  const stopping = new AbortController()
  let pool = openPool(options)
  let isUsed = false
  let wasReported = false
  let goodLooks = GOOD_LOOKS - 1
  let newest: { position: WalPosition; age_ms: () => number } | undefined

  /** @throws what `read` throws, and what is wrong with the standby, which is not used any more then */
  async function onStandby<T>(position: WalPosition, read: (db: Database) => Promise<T>): Promise<T> {
    const asked = pool
    try {
      return await asked.connection().execute(async (connection) => {
        await catchUp(connection, position)
        return read(connection)
      })
    } catch (error) {
      if (isOutOfOrder(error)) {
        setUnused(reasonOf(error))
        if (asked === pool) replacePool()
      }
      throw error
    }
  }

  async function at<T>(position: WalPosition | undefined, read: (db: Database) => Promise<T>): Promise<T> {
    if (isUsed && position !== undefined) {
      try {
        const found = await onStandby(position, read)
        onRead('standby')
        return found
      } catch {
        // The primary says what is to be said, also to whom a standby that may be a moment behind has refused something.
      }
    }
    onRead('primary')
    return read(primary)
  }

  function setUnused(reason: string): void {
    goodLooks = 0
    if (stopping.signal.aborted || (wasReported && !isUsed)) return
    isUsed = false
    wasReported = true
    log.warn({ event: 'standby.unused', reason }, 'the standby is not used; the primary answers all reads')
  }

  /** A connection without an answer is of no use later either, and a new one may lead to another standby. */
  function replacePool(): void {
    void pool.destroy().catch(() => undefined)
    pool = openPool(options)
  }

  function noteGoodLook(): void {
    goodLooks += 1
    if (isUsed || goodLooks < GOOD_LOOKS || stopping.signal.aborted) return
    isUsed = true
    wasReported = true
    log.info({ event: 'standby.used' }, 'the standby answers reads')
  }

  async function look(): Promise<void> {
    let wanted: { position: WalPosition; identity: string }
    try {
      const age_ms = stopwatch()
      const [position, identity] = [await readPrimaryPosition(primary), await readIdentity(primary)]
      // It is being replaced: what is newest there is not what was acknowledged.
      if (position === null) return
      newest = { position, age_ms }
      wanted = { position, identity }
    } catch {
      // The primary's own calls say so, and what is known of it is soon too old to read by.
      return
    }
    try {
      await onStandby(wanted.position, async (connection) => {
        if ((await readIdentity(connection)) !== wanted.identity) throw new Unusable('it is of another database')
      })
      noteGoodLook()
    } catch {
      // It is said already, and it is not used.
    }
  }

  const looking = (async () => {
    while (!stopping.signal.aborted) {
      await look()
      await sleep(LOOK_EVERY_MS, undefined, { ref: false, signal: stopping.signal }).catch(() => undefined)
    }
  })()

  return {
    at,
    recent: (read) => at(newest !== undefined && newest.age_ms() <= MAX_AGE_MS ? newest.position : undefined, read),
    isUsed: () => isUsed,
    async stop() {
      stopping.abort()
      await looking
      await pool.destroy()
    },
  }
}

function openPool({ url, poolSize, isPrepared, log }: StandbyOptions): Database {
  return openDatabase({
    url,
    poolSize,
    isPrepared,
    log,
    connectTimeout_ms: CONNECT_LIMIT_MS,
    statementTimeout_ms: STATEMENT_LIMIT_MS,
    answerLimit_ms: STATEMENT_LIMIT_MS + CATCH_UP_MS,
  })
}

/** Waits until this connection sees everything up to `position`. @throws Unusable when it does not in time */
async function catchUp(connection: Database, position: WalPosition): Promise<void> {
  const elapsed_ms = stopwatch()
  for (let pause_ms = 1; ; pause_ms *= 2) {
    const reached = await within(CATCH_UP_MS, readStandbyPosition(connection))
    if (reached === null) throw new Unusable('it is not a standby')
    if (reached >= position) return
    const left_ms = CATCH_UP_MS - elapsed_ms()
    if (left_ms <= 0) throw new Unusable(`it is ${position - reached} bytes behind`)
    await sleep(Math.min(pause_ms, left_ms))
  }
}

/** Not what a statement of its own fails by, such as a conflict with what is replayed: others may well be answered. */
function isOutOfOrder(error: unknown): boolean {
  if (isAppError(error)) return false
  const state = sqlState(error)
  return state === undefined || ['08', '53', '57'].includes(state.slice(0, 2))
}
