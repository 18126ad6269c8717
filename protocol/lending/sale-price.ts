/** Spot is away from the median of five minutes when it is further from it than this: 10 %. */
export const AWAY_BPS = 1_000n
const BPS = 10_000n

/** Prices of a collateral, USDT base units per whole unit. */
export type SalePrices = { spot: bigint; median5: bigint; average30: bigint; averageDay: bigint }

/**
 * The price that the desk pays for collateral that has to be sold: the lowest of spot, 30-minute and day's average. A spot price that is
 * pushed far down counts at most 10 % below the median of five minutes.
 */
export const salePriceOf = ({ spot, median5, average30, averageDay }: SalePrices): bigint =>
  least(greatest(spot, (median5 * (BPS - AWAY_BPS)) / BPS), average30, averageDay)

const least = (...amounts: readonly [bigint, ...bigint[]]): bigint =>
  amounts.reduce((one, other) => (other < one ? other : one))
const greatest = (one: bigint, other: bigint): bigint => (one > other ? one : other)
