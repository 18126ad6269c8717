import type { FakeClock } from '@candela/server/kernel/clock'
import { LEASE_MS } from './led-process.ts'
import type { LeaseTime } from './lease-time.ts'

/** No more of a long pause is counted as the lease's time: afterwards only more of the same would have happened. */
const LONGEST_MS = 2 * LEASE_MS

/** The rows of the database, and how much was sent, at one instant. */
export type Instant = { rows: readonly string[]; sent: number }

export type LeaseState = {
  time: LeaseTime
  settle: () => Promise<void>
  /** Lets as much time pass for the lease as has passed on the clock since the last call. */
  follow: () => Promise<void>
  /** True while work goes on whose lease is lost: nothing else happens meanwhile, so that what it has written shows. */
  isAlone: boolean
  /** The state when a paused process went on after it had lost its lease. */
  before: Instant | null
  /** How often something happened, by name. */
  counts: Record<'takeovers' | 'pauses' | 'staleWorks' | 'refusals' | 'handOvers', number>
}

export function newLeaseState(time: LeaseTime, clock: FakeClock, settle: () => Promise<void>): LeaseState {
  let last_ms = clock.now().getTime()
  return {
    time,
    settle,
    async follow() {
      const now_ms = clock.now().getTime()
      const passed_ms = Math.min(now_ms - last_ms, LONGEST_MS)
      last_ms = now_ms
      if (passed_ms > 0) await time.pass(passed_ms)
    },
    isAlone: false,
    before: null,
    counts: { takeovers: 0, pauses: 0, staleWorks: 0, refusals: 0, handOvers: 0 },
  }
}
