export const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** First and last UTC day that earn, as "2026-11-21". */
export type Term = { startsOn: string; endsOn: string }

/** The UTC day that a time falls in, as "2026-11-21". */
export const utcDay = (time: Date): string => time.toISOString().slice(0, 10)

/** The UTC day that is so many days later (or earlier) than the one of a time. */
export const utcDayAfter = (time: Date, days: number): string => utcDay(new Date(time.getTime() + days * DAY_MS))

/** Power earns from the UTC day after its payment's block, for as many days as the plan says. */
export const termOf = (paidAt: Date, term_days: number): Term => ({
  startsOn: utcDayAfter(paidAt, 1),
  endsOn: utcDayAfter(paidAt, term_days),
})
