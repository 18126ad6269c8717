import { type Database, transaction } from '../../db/open.ts'
import type { Clock } from '../../kernel/clock.ts'
import { openNextDay } from './open-day.ts'
import { shareNext } from './share-day.ts'

/** Members paid in one transaction: their balances are locked for as long as it takes. */
const CHUNK = 10_000

export type CloseDeps = {
  db: Database
  clock: Clock
  /** Confirmations of the largest payments: blocks this deep do not change any more. */
  depth: number
  /**
   * How long after a day's end its deposits are waited for while they confirm, in milliseconds; without a limit when
   * absent. Anyone may send such deposits, so the automatic close must not wait for them for ever.
   */
  maxWait_ms?: number
  /** Members paid in one transaction, when it is not the usual number. */
  chunk?: number
}

/** `waits` says why the next day cannot be closed yet, if it is due. */
export type CloseResult = { closed: string[]; waits: string | null }

/**
 * Closes every day up to this one that is not closed yet, the earliest first. Begins with the day that an earlier run
 * left unfinished. May be killed at any instant and run any number of times, also at the same time.
 */
export async function closeDays(
  { db, clock, depth, maxWait_ms = Infinity, chunk = CHUNK }: CloseDeps,
  upTo: string,
): Promise<CloseResult> {
  const closed: string[] = []
  for (;;) {
    while (await transaction(db, (tx) => shareNext(tx, chunk, clock.now())));
    const opening = await transaction(db, (tx) => openNextDay(tx, { upTo, depth, maxWait_ms, now: clock.now() }))
    if (opening === null) return { closed, waits: null }
    if ('waits' in opening) return { closed, waits: opening.waits }
    if ('opened' in opening) closed.push(opening.opened)
  }
}
