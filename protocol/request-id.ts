import { DAY_MS, MINUTE_MS } from './units.ts'

/** A command is done under its id for so long, by the time in the id, in milliseconds. Until then a repetition gets the first answer. */
export const REQUEST_ID_LIFE_MS = 30 * DAY_MS

/** By how much an id may be ahead of the server's clock, in milliseconds: clocks differ, and answers tell the time to a second. */
export const REQUEST_ID_AHEAD_MS = 5 * MINUTE_MS

/** A UUID of version 7 in lower case, with or without hyphens. Two spellings are two ids. */
export const REQUEST_ID =
  /^([0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}|[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15})$/

/** How many random bytes an id takes. */
export const REQUEST_ID_RANDOM_BYTES = 10

/**
 * Makes the id of a command.
 * @param now the server's time in milliseconds since 1970
 * @param random `REQUEST_ID_RANDOM_BYTES` bytes of which nobody else has the same
 */
export function requestIdOf(now: number, random: Uint8Array): string {
  const bits = Array.from(random.subarray(0, REQUEST_ID_RANDOM_BYTES), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
  const variant = '89ab'.charAt(Number.parseInt(bits.charAt(3), 16) & 3)
  return `${Math.floor(now).toString(16).padStart(12, '0')}7${bits.slice(0, 3)}${variant}${bits.slice(4, 19)}`
}

/** When an id was made, in milliseconds since 1970; NaN for what is no id. */
export const timeOfRequestId = (id: string): number =>
  REQUEST_ID.test(id) ? Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16) : Number.NaN

export type RequestIdAge = 'current' | 'tooOld' | 'ahead'

/** Whether a command may be done under this id. @param now the server's time in milliseconds since 1970 */
export function ageOfRequestId(id: string, now: number): RequestIdAge {
  const madeAt = timeOfRequestId(id)
  if (madeAt > now + REQUEST_ID_AHEAD_MS) return 'ahead'
  // A text that is no id has no age, and is never current.
  return madeAt >= now - REQUEST_ID_LIFE_MS ? 'current' : 'tooOld'
}
