import { readFileSync } from 'node:fs'

/** The only source of time in the server. Everything that needs "now" takes a clock, so that whole scenarios replay. */
export type Clock = {
  now(): Date
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => new Date() }

/** How long the moved clock goes on with what it has read, in milliseconds. */
export const READ_EVERY_MS = 50

/**
 * The machine's clock, moved by the milliseconds that are in a file: with it the launcher of a development chain lets days
 * pass. Without the file it is not moved.
 */
export function movedClock(file: string): Clock {
  let offset_ms = 0
  let readAt_ms = -READ_EVERY_MS
  return {
    now() {
      const at_ms = performance.now()
      if (at_ms - readAt_ms >= READ_EVERY_MS) {
        offset_ms = readOffset(file)
        readAt_ms = at_ms
      }
      return new Date(Date.now() + offset_ms)
    },
  }
}

function readOffset(file: string): number {
  try {
    const offset_ms = Number(readFileSync(file, 'utf8'))
    if (Number.isSafeInteger(offset_ms)) return offset_ms
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0
    throw error
  }
  throw new RangeError(`${file} does not hold a number of milliseconds`)
}

/** The clock of a process: the machine's, or one that a file moves. */
export const clockOf = (offsetFile: string | undefined): Clock =>
  offsetFile === undefined ? systemClock : movedClock(offsetFile)

/**
 * Starts measuring; the result gives the milliseconds since. For durations in logs and metrics, never for decisions.
 */
export function stopwatch(): () => number {
  const started_ms = performance.now()
  return () => performance.now() - started_ms
}

/** A clock that stands still until it is set, for tests and replays. */
export type FakeClock = Clock & {
  set(time: Date | string): void
  advance(duration_ms: number): void
}

export function fakeClock(start: Date | string = '2026-01-01T00:00:00.000Z'): FakeClock {
  let time_ms = parseTime(start)
  return {
    now: () => new Date(time_ms),
    set(time) {
      time_ms = parseTime(time)
    },
    advance(duration_ms) {
      time_ms += duration_ms
    },
  }
}

function parseTime(time: Date | string): number {
  const time_ms = new Date(time).getTime()
  if (Number.isNaN(time_ms)) throw new RangeError(`not a time: ${String(time)}`)
  return time_ms
}

export class NoAnswer extends Error {}

/** The answer, when it comes in time; the question itself is not ended. @throws NoAnswer when there is none within the limit */
export function within<T>(limit_ms: number, answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new NoAnswer(`no answer within ${limit_ms} ms`))
    // When this thread was busy for longer, the answer may have arrived unread: one turn of the event loop reads it first.
    const timer = setTimeout(() => setImmediate(giveUp), limit_ms)
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
