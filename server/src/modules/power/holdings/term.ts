import { addDays, utcDay } from '@candela/protocol/calendar'

/** First and last UTC day that earn, as "2026-11-21". */
export type Term = { startsOn: string; endsOn: string }

/** The UTC day that is so many days later (or earlier) than the one of a time. */
export const utcDayAfter = (time: Date, days: number): string => addDays(utcDay(time), days)

/**
 * Power earns from the UTC day after its payment's block, for as many days as the plan says. A payment that was settled
 * so late that this day is shared already starts on the first one that is not: its term stays whole.
 */
export function termOf(paidAt: Date, term_days: number, firstOpenDay: string | null = null): Term {
  const next = utcDayAfter(paidAt, 1)
  const startsOn = firstOpenDay !== null && firstOpenDay > next ? firstOpenDay : next
  return { startsOn, endsOn: addDays(startsOn, term_days - 1) }
}
