import { addDays, isDay, utcDay } from '../../../../protocol/calendar.ts'
import type { PaymentFacts } from './decode.ts'

/** Revenue may be for a day this long before the day of its block: an operator who was away for a month is in time. */
export const REVENUE_DAYS_BACK = 31
/** And this long after it: the clocks of a wallet and of a block need not agree. */
const REVENUE_DAYS_AHEAD = 1

/**
 * The UTC day whose revenue a payment is; null for every other payment. Anyone may write any text there, so a day counts
 * only near the block's own: nobody can name a day that the database does not have, one that never comes, or one that
 * years of empty days lead up to.
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
