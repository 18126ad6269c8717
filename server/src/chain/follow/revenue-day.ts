import { addDays, isDay, utcDay } from '@candela/protocol/calendar'
import type { PaymentFacts } from './read/decode.ts'

/** Revenue may be for a day this long before the day of its block: an operator who was away for a month is in time. */
export const REVENUE_DAYS_BACK = 31
/** And this long after it: the clocks of a wallet and of a block need not agree. */
const REVENUE_DAYS_AHEAD = 1

/**
 * The UTC day whose revenue a payment is; null for every other payment. Anyone may write any text as the reference, so
 * a day counts only when it is near the day of the block. That excludes days that the database cannot store, days in
 * the far future, and days so long ago that years without revenue would follow.
 */
export function revenueDayOf(
  { action, asset, reference }: Pick<PaymentFacts, 'action' | 'asset' | 'reference'>,
  blockAt: Date,
): string | null {
  if (action !== 'revenue' || asset !== 'HASH' || !isDay(reference)) return null
  const today = utcDay(blockAt)
  const isNear = reference >= addDays(today, -REVENUE_DAYS_BACK) && reference <= addDays(today, REVENUE_DAYS_AHEAD)
  return isNear ? reference : null
}
