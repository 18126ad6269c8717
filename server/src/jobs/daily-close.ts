import { DAY_MS, MINUTE_MS } from '@candela/protocol/units'
import type { PeriodicTask } from './worker.ts'
import type { Clock } from '../kernel/clock.ts'

/** Closes every day up to this one; says why it could not, and what it closed. */
type Close = (upTo: string) => Promise<{ closed: readonly string[]; waits: string | null }>

/**
 * From the setting `closeMinutes` after midnight UTC on (10 where nothing else is set), closes the day before and what was missed.
 * Looked at every minute: a day may have to wait for blocks, a service that was down then has to catch up, and until then nobody moves
 * money into the fund.
 * @param readMinutes reads how many minutes after midnight UTC the operator has to deposit the day's revenue
 */
export const dailyClose = (close: Close, readMinutes: () => Promise<number>, clock: Clock): PeriodicTask => ({
  match: '* * * * *',
  async run() {
    const due = new Date(clock.now().getTime() - (await readMinutes()) * MINUTE_MS - DAY_MS)
    const { closed } = await close(due.toISOString().slice(0, 10))
    return { closed: closed.length }
  },
})
