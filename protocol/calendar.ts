import { DAY_MS } from './units.ts'

/** A UTC day as "2026-11-21". */
export const utcDay = (time: Date): string => time.toISOString().slice(0, 10)

/** When a UTC day begins. */
export const startOfDay = (day: string): Date => new Date(`${day}T00:00:00Z`)

/** The UTC day that is so many days later, or earlier. */
export const addDays = (day: string, days: number): string =>
  utcDay(new Date(startOfDay(day).getTime() + days * DAY_MS))

/** How many days `to` comes after `from`; negative when it comes before. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((startOfDay(to).getTime() - startOfDay(from).getTime()) / DAY_MS)

/** The same day of the month so many months later, or that month's last day where it is shorter. */
export function addMonths(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  const lastDate = new Date(Date.UTC(year, month - 1 + months + 1, 0)).getUTCDate()
  return utcDay(new Date(Date.UTC(year, month - 1 + months, Math.min(date, lastDate))))
}

/** The last day that is over. */
export const yesterdayOf = (now: Date): string => addDays(utcDay(now), -1)

/** True for the text of a day of the calendar. */
export function isDay(text: string): boolean {
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text)) return false
  const time = startOfDay(text)
  // The thirtieth of February would become a day in March.
  return !Number.isNaN(time.getTime()) && utcDay(time) === text
}
