/** UTC days as texts such as "2026-11-22". */

export const DAY_S = 86_400

export const startOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1_000

export const dayOf = (time_s: number): string => new Date(time_s * 1_000).toISOString().slice(0, 10)

export const dayAfter = (day: string, days = 1): string => dayOf(startOf(day) + days * DAY_S)

/** Whether it is a day that there is: "2026-02-30" is none. */
export const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(startOf(text)) && dayOf(startOf(text)) === text
