/** The only source of time in the server. Everything that needs "now" takes a clock, so that whole scenarios replay. */
export type Clock = {
  now(): Date
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => new Date() }

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
