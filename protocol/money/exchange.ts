import { PPM, WHOLE_UNIT } from '../units.ts'

/**
 * The arithmetic of the exchange desk: the server quotes with it, and the app checks quotes with it. Amounts are base
 * units, prices are USDT base units per whole unit, and all assets have the same decimals.
 */

export type ExchangeTerms = {
  amountIn: bigint
  /** The desk's price of the asset that it takes, and of the asset that it gives. Both above zero. */
  fromPrice: bigint
  toPrice: bigint
  /** Millionths of `gross`. */
  feePpm: bigint
}

export type ExchangeOutcome = {
  /** The amount that leaves the desk: `received` and `fee` together. */
  gross: bigint
  received: bigint
  fee: bigint
}

/**
 * received = floor(amountIn × fromPrice × (1,000,000 − feePpm) ÷ (toPrice × 1,000,000)): one rounding, down, so it is never
 * above the exact value and less than one base unit below it.
 * @throws RangeError for a negative amount or price, a `toPrice` of zero, or a fee that is negative or above 100 %
 */
export function exchangeAt({ amountIn, fromPrice, toPrice, feePpm }: ExchangeTerms): ExchangeOutcome {
  if (amountIn < 0n || fromPrice < 0n || toPrice <= 0n || feePpm < 0n || feePpm > PPM) {
    throw new RangeError(
      'an exchange needs an amount and prices that are not negative, a toPrice above zero, and a fee of 0 to 100 %',
    )
  }
  const worth = amountIn * fromPrice
  const gross = worth / toPrice
  const received = (worth * (PPM - feePpm)) / (toPrice * PPM)
  return { gross, received, fee: gross - received }
}

/** How much one whole unit of the asset paid gives of the other asset, before the fee; rounded down, for display. */
export const exchangeRate = ({ fromPrice, toPrice }: Pick<ExchangeTerms, 'fromPrice' | 'toPrice'>): bigint =>
  (fromPrice * WHOLE_UNIT) / toPrice

/** How far a price may move between a quote and its exchange before the app asks again: 0.5 %. */
export const TOLERANCE_PPM = 5_000n

/** The minimum that the app agrees to when a quote promises `received`. */
export const minReceivedFor = (received: bigint): bigint => (received * (PPM - TOLERANCE_PPM)) / PPM
