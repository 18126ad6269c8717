import { DAY_MS, HOUR_MS, MINUTE_MS } from '@candela/protocol/units'

/**
 * A day is attested from half an hour after midnight UTC on. So much a product has to be put ahead, in milliseconds, so that nobody
 * waits for it: an hour when it was started shortly before or after midnight, else nothing.
 */
export function pastMidnight_ms(): number {
  const minutes = Math.floor((Date.now() % DAY_MS) / MINUTE_MS)
  return minutes < 45 || minutes >= 1_430 ? HOUR_MS : 0
}
