import { codes } from '@candela/protocol/codes/codes'
import { AppError } from '../../kernel/errors.ts'
import type { Price } from './price.ts'

/**
 * Which of an asset's prices is used. Pushing the spot price, either way, must only cost the one who pushes it. All are
 * USDT base units per whole unit.
 */

/**
 * For one who gives an asset, as a sale or as collateral of new debt: the lower of average and spot.
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
 * For collateral that may have to be sold: the higher of spot and the average of five minutes, also while the price is
 * paused. One pushed block then sells nothing, and a real fall is noticed within minutes.
 * @throws AppError 5031 while the price is stale or unknown
 */
export function marginPrice(price: Price): bigint {
  const { asset, spot, average5, pauseReason } = price
  if (pauseReason === 'stale' || spot === null || average5 === null) throw new AppError(codes.pricePaused, { asset })
  return spot > average5 ? spot : average5
}

/** A price that limits count by. `isPaused`: it may be far from what the asset is worth. */
export type LimitPrice = { price: bigint; isPaused: boolean }

/**
 * What an amount counts at against a limit: the average, and while spot and averages are apart the highest of them, so that
 * no limit is passed by it. Null while the price is stale or unknown: then nobody knows what the asset is worth.
 */
export function limitPrice({ average, average5, spot, dayAverage, paused, pauseReason }: Price): LimitPrice | null {
  if (pauseReason === 'stale' || average === null) return null
  if (!paused) return { price: average, isPaused: false }
  const known = [average5, spot, dayAverage].filter((price) => price !== null)
  return { price: known.reduce((highest, price) => (price > highest ? price : highest), average), isPaused: true }
}

function usable({ asset, average, spot, paused }: Price): { average: bigint; spot: bigint } {
  if (paused || average === null || spot === null || average <= 0n || spot <= 0n) {
    throw new AppError(codes.pricePaused, { asset })
  }
  return { average, spot }
}
