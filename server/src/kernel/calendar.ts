import { DAY_MS } from '@candela/protocol/units'

/** A UTC day as "2026-11-21". */
export const utcDay = (time: Date): string => time.toISOString().slice(0, 10)

/** When a UTC day begins. */
export const startOfDay = (day: string): Date => new Date(`${day}T00:00:00Z`)

/** The UTC day that is so many days later, or earlier. */
export const addDays = (day: string, days: number): string =>
  utcDay(new Date(startOfDay(day).getTime() + days * DAY_MS))

/** The last day that is over. */
export const yesterdayOf = (now: Date): string => addDays(utcDay(now), -1)

/** True for the text of a day of the calendar. */
export function isDay(text: string): boolean {
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text)) return false
  const time = startOfDay(text)
  // The thirtieth of February would become a day in March.
  return !Number.isNaN(time.getTime()) && utcDay(time) === text
}
