import { addDays, yesterdayOf } from '@candela/protocol/calendar'
import { type Database, transaction } from '../../../../db/open.ts'
import type { Clock } from '../../../../kernel/clock.ts'
import { closeFundDay } from '../../../fund/close-day.ts'
import { chargeDay } from './charge-day.ts'
import type { DailyDeps } from './deps.ts'
import { interestInDoubt } from './interest-in-doubt.ts'

/**
 * Closes every day up to this one that is not closed yet: the fund first, then the loans are charged for the day after.
 * May be killed at any instant and run any number of times.
 * @returns the days that were closed
 */
export async function closeLending(deps: DailyDeps & { clock: Clock }, upTo: string): Promise<string[]> {
  const closed: string[] = []
  for (;;) {
    const now = deps.clock.now()
    const day = await nextDay(deps.db, upTo)
    if (day === null || day > yesterdayOf(now)) return closed
    await transaction(deps.db, async (tx) => closeFundDay(tx, day, await interestInDoubt(tx, day), now))
    await chargeDay(deps, addDays(day, 1), now)
    closed.push(day)
  }
}

/** The earliest day to close; null when all are closed. The first ever is the one that is asked for. */
async function nextDay(db: Database, upTo: string): Promise<string | null> {
  const last = await db.selectFrom('loan_day').selectAll().orderBy('day', 'desc').limit(1).executeTakeFirst()
  if (last === undefined) return upTo
  const next = last.closed_at === null ? addDays(last.day, -1) : last.day
  return next <= upTo ? next : null
}
