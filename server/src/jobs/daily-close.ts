import type { PeriodicTask } from './worker.ts'
import type { Clock } from '../kernel/clock.ts'

const DAY_MS = 86_400_000
/** The operator has these minutes after midnight to deposit the day's revenue. */
const AFTER_MIDNIGHT_MS = 600_000

/** Closes every day up to this one; says why it could not, and what it closed. */
type Close = (upTo: string) => Promise<{ closed: readonly string[]; waits: string | null }>

/**
 * From 00:10 UTC on, closes the day before and what was missed. Looked at every ten minutes, because a day may have to
 * wait for blocks, and a service that was down at 00:10 has to catch up.
 */
export const dailyClose = (close: Close, clock: Clock): PeriodicTask => ({
  match: '*/10 * * * *',
  async run() {
    const due = new Date(clock.now().getTime() - AFTER_MIDNIGHT_MS - DAY_MS)
    const { closed } = await close(due.toISOString().slice(0, 10))
    return { closed: closed.length }
  },
})
