import { DAY_MS, WHOLE_UNIT } from '@candela/protocol/units'

/**
 * Prices from a Uniswap-V2-style pair, in USDT base units per whole unit of the asset. Both tokens have 18 decimals.
 * The pair adds up price × seconds as an unsigned fixed-point number with 112 binary places (UQ112x112), modulo 2^256;
 * the difference of two such sums over the seconds between them is the average price of that time.
 */

/** Averages cover this long, or what there is since the first observation. In seconds. */
export const WINDOW_S = 30n * 60n
export const SHORT_WINDOW_S = 5n * 60n
export const DAY_S = BigInt(DAY_MS) / 1_000n
export const WEEK_S = 7n * DAY_S

const Q112 = 2n ** 112n
const WRAP = 2n ** 256n
const WRAP_SECONDS = 2n ** 32n

/** The state of a pair at one block, as the pair itself says. */
export type PairState = {
  assetReserve: bigint
  usdtReserve: bigint
  /** The pair's sum of the asset's price, as of `lastUpdate_s`. */
  cumulativeLast: bigint
  /** Unix seconds modulo 2^32. */
  lastUpdate_s: bigint
}

/** One observation of a pair. `cumulative` is as of `at`. */
export type Observation = {
  at: Date
  assetReserve: bigint
  usdtReserve: bigint
  cumulative: bigint
}

/**
 * The sum as it would be if somebody traded now: a pair updates it only at a trade.
 * @param now_s the block's own time in Unix seconds
 * @throws RangeError when a reserve is zero: an empty pair has no price
 */
export function broughtForward(pair: PairState, now_s: bigint): bigint {
  if (pair.assetReserve <= 0n || pair.usdtReserve <= 0n) throw new RangeError('an empty pair has no price')
  const elapsed_s = modulo(now_s - pair.lastUpdate_s, WRAP_SECONDS)
  const price = (pair.usdtReserve * Q112) / pair.assetReserve
  return modulo(pair.cumulativeLast + price * elapsed_s, WRAP)
}

/** Whether a pair's last trade is after a time in Unix seconds. @param lastUpdate_s modulo 2^32, within 68 years of that time */
export const isAfter = (lastUpdate_s: bigint, time_s: bigint): boolean => BigInt.asIntN(32, time_s - lastUpdate_s) < 0n

/** The price at which an infinitely small amount would trade; rounded down. */
export function spotPrice({ assetReserve, usdtReserve }: Pick<Observation, 'assetReserve' | 'usdtReserve'>): bigint {
  if (assetReserve <= 0n) throw new RangeError('an empty pair has no price')
  return (usdtReserve * WHOLE_UNIT) / assetReserve
}

type Summed = Pick<Observation, 'at' | 'cumulative'>

/** The average price between two observations, rounded down; null unless the second is later. */
export function averagePrice(earlier: Summed, later: Summed): bigint | null {
  const seconds = unixSeconds(later.at) - unixSeconds(earlier.at)
  if (seconds <= 0n) return null
  return (modulo(later.cumulative - earlier.cumulative, WRAP) * WHOLE_UNIT) / (seconds * Q112)
}

/**
 * The median of the prices since `begin`, each weighing as many seconds as it lasted: the average between two observations is
 * the price of that time. A price has to be held for half of the time to be the median, so one block never is.
 * @param observed in the order of their times; the first one may be before `begin`
 * @returns null without two observations of different times
 */
export function medianPrice(observed: readonly Summed[], begin: Date): bigint | null {
  const prices = observed.slice(1).flatMap((later, nth) => {
    const earlier = observed[nth]
    const price = earlier === undefined ? null : averagePrice(earlier, later)
    if (earlier === undefined || price === null) return []
    const from = earlier.at < begin ? begin : earlier.at
    return [{ price, seconds: unixSeconds(later.at) - unixSeconds(from) }]
  })
  const ordered = prices.toSorted((one, other) => (one.price < other.price ? -1 : one.price > other.price ? 1 : 0))
  const total = ordered.reduce((sum, { seconds }) => sum + seconds, 0n)
  let passed = 0n
  for (const { price, seconds } of ordered) {
    passed += seconds
    if (2n * passed >= total) return price
  }
  return null
}

/**
 * True when spot is further from the average than the tolerance, either way. @param tolerance_bps hundredths of a
 * percent
 */
export function deviates(spot: bigint, average: bigint, tolerance_bps: bigint): boolean {
  const distance = spot > average ? spot - average : average - spot
  return distance * 10_000n > average * tolerance_bps
}

export const unixSeconds = (at: Date): bigint => BigInt(Math.floor(at.getTime() / 1000))

const modulo = (value: bigint, by: bigint): bigint => ((value % by) + by) % by
