import type { Seen } from './economy.ts'

/** The figures that the prices of a pair follow from, computed from all its blocks and not from what the service has written down. */

const MEDIAN_S = 300
const HALF_HOUR_S = 1_800
const DAY_S = 86_400
const QUARTER_S = 900
const WEEK_S = 7 * DAY_S

/** USDT base units for a whole unit. `lowestDay`: the lowest that the average of a day was within a day. */
export type Measures = { spot: bigint; median: bigint; halfHour: bigint; lowestDay: bigint; depth: bigint }

/**
 * Looks at a pair again and again.
 * @returns what to call after each block, with all blocks until then
 */
export function startMeasuring(): (seen: readonly Seen[]) => Measures {
  const days: { at: number; price: bigint }[] = []
  return (seen) => {
    const at = seen.at(-1)?.at ?? 0
    days.push({ at, price: average(seen, DAY_S) })
    while (days.length > 1 && (days[0]?.at ?? at) < at - DAY_S) days.shift()
    return {
      spot: seen.at(-1)?.spot ?? 0n,
      median: median(seen),
      halfHour: average(seen, HALF_HOUR_S),
      lowestDay: days.reduce((lowest, { price }) => (price < lowest ? price : lowest), days[0]?.price ?? 0n),
      depth: depth(seen),
    }
  }
}

/** The average over so much time, and over the rest of its first part. */
function average(seen: readonly Seen[], window_s: number): bigint {
  let [sum, passed_s] = [0n, 0]
  for (let nth = seen.length - 1; nth >= 0 && passed_s < window_s; nth--) {
    const { price, seconds } = seen[nth] as Seen
    sum += price * BigInt(seconds)
    passed_s += seconds
  }
  return passed_s === 0 ? 0n : sum / BigInt(passed_s)
}

/** The median of five minutes, each price by the seconds that it lasted. */
function median(seen: readonly Seen[]): bigint {
  const parts: { price: bigint; seconds: number }[] = []
  let left_s = MEDIAN_S
  for (let nth = seen.length - 1; nth >= 0 && left_s > 0; nth--) {
    const { price, seconds } = seen[nth] as Seen
    parts.push({ price, seconds: Math.min(seconds, left_s) })
    left_s -= seconds
  }
  const total_s = parts.reduce((sum, { seconds }) => sum + seconds, 0)
  let passed_s = 0
  for (const { price, seconds } of parts.toSorted((one, other) => (one.price < other.price ? -1 : 1))) {
    passed_s += seconds
    if (2 * passed_s >= total_s) return price
  }
  return 0n
}

/** At most so much USDT the pair held in nine tenths of the quarters of an hour in a week that were looked at. */
function depth(seen: readonly Seen[]): bigint {
  const now = seen.at(-1)?.at ?? 0
  const quarters = new Map<number, bigint>()
  for (let nth = seen.length - 1; nth >= 0; nth--) {
    const { at, usdt } = seen[nth] as Seen
    const quarter = Math.floor(at / QUARTER_S)
    if (quarter * QUARTER_S <= now - WEEK_S) break
    if (usdt > (quarters.get(quarter) ?? 0n)) quarters.set(quarter, usdt)
  }
  const held = [...quarters.values()].toSorted((one, other) => (one < other ? -1 : 1))
  return held[Math.max(0, Math.ceil(held.length / 10) - 1)] ?? 0n
}
