import { codes } from '@candela/protocol/codes/codes'
import { AWAY_BPS, salePriceOf } from '@candela/protocol/lending/sale-price'
import type { AssetCode } from '@candela/protocol/money/assets'
import { AppError } from '../../kernel/errors.ts'
import type { Database } from '../../db/open.ts'
import { deviates } from './average-price.ts'
import { type Price, readPrices } from './price.ts'

/**
 * Each use of an asset takes the price that is safe for it. Pushing the spot price, either way, must only cost the one who pushes it.
 * All are USDT base units per whole unit.
 */

/**
 * For one who gives an asset: the lower of average and spot.
 * @throws AppError 5031 while the price is paused or unknown
 */
export function lowerPrice(price: Price): bigint {
  const { average, spot } = usable(price)
  return average < spot ? average : spot
}

/**
 * For one who gets an asset: the higher of average and spot.
 * @throws AppError 5031 while the price is paused or unknown
 */
export function higherPrice(price: Price): bigint {
  const { average, spot } = usable(price)
  return average > spot ? average : spot
}

/**
 * For collateral of new debt: the lowest of spot and the averages of half an hour, a day and a week. A price that is walked up
 * lends nothing more, one that falls counts at once.
 * @throws AppError 5031 while the price is paused or unknown
 */
export function lendingPrice(price: Price): bigint {
  return lowestOf(price, leveragePrice(price), price.weekAverage)
}

/**
 * For what a leveraged loan buys: the lowest of spot and the averages of half an hour and of a day. The week is left out, which
 * would close the highest ratio in every rising market.
 * @throws AppError 5031 while the price is paused or unknown
 */
export function leveragePrice(price: Price): bigint {
  return lowestOf(price, lowerPrice(price), price.dayAverage)
}

function lowestOf({ asset }: Price, price: bigint, other: bigint | null): bigint {
  if (other === null || other <= 0n) throw new AppError(codes.pricePaused, { asset })
  return other < price ? other : price
}

/**
 * For a margin call and for a liquidation at a line: the median of five minutes, also while the price is paused. One pushed
 * block then sells nothing, and a real fall is noticed within minutes.
 * @throws AppError 5031 while the price is stale or unknown
 */
export function marginPrice({ asset, median5, pauseReason }: Price): bigint {
  if (pauseReason === 'stale' || median5 === null || median5 <= 0n) throw new AppError(codes.pricePaused, { asset })
  return median5
}

/**
 * The price that the desk pays for collateral that has to be sold, also while the price is paused.
 * @throws AppError 5031 while the price is stale or unknown
 */
export function salePrice(price: Price): bigint {
  const { asset, spot, average: average30, dayAverage: averageDay } = price
  const median5 = marginPrice(price)
  if (spot === null || average30 === null || averageDay === null) throw new AppError(codes.pricePaused, { asset })
  const paid = salePriceOf({ spot, median5, average30, averageDay })
  if (paid <= 0n) throw new AppError(codes.pricePaused, { asset })
  return paid
}

/** True while spot is far from the median that decides about lines: sales at a line wait for it, for a while. */
export const isSpotAway = ({ spot, median5 }: Price): boolean =>
  spot === null || median5 === null || deviates(spot, median5, AWAY_BPS)

/** A price that limits count by. `isPaused`: it may be far from what the asset is worth. */
export type LimitPrice = { price: bigint; isPaused: boolean }

/**
 * The price at which an amount counts against a limit: the average, and while spot and averages are apart the highest of them, so that
 * no limit is passed by it. Null while the price is stale or unknown: then nobody knows what the asset is worth.
 */
export function limitPrice({ average, average5, spot, dayAverage, paused, pauseReason }: Price): LimitPrice | null {
  if (pauseReason === 'stale' || average === null) return null
  if (!paused) return { price: average, isPaused: false }
  const known = [average5, spot, dayAverage].filter((price) => price !== null)
  return { price: known.reduce((highest, price) => (price > highest ? price : highest), average), isPaused: true }
}

/** As `limitPrice`, of now. USDT always has one. */
export const readLimitPrice = async (db: Database, asset: AssetCode, now: Date): Promise<LimitPrice | null> =>
  limitPrice((await readPrices(db, now))[asset])

function usable({ asset, average, spot, paused }: Price): { average: bigint; spot: bigint } {
  if (paused || average === null || spot === null || average <= 0n || spot <= 0n) {
    throw new AppError(codes.pricePaused, { asset })
  }
  return { average, spot }
}
