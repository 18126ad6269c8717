/**
 * The arithmetic of the exchange desk, for whoever quotes and whoever checks a quote. Amounts are base units, prices USDT
 * base units per whole unit; all assets have the same decimals.
 */

/** Fees are counted in millionths. */
export const PPM = 1_000_000n

const WHOLE = 10n ** 18n

export type ExchangeTerms = {
  amountIn: bigint
  /** What the desk pays for the asset that it takes, and what it asks for the one that it gives. Both above zero. */
  fromPrice: bigint
  toPrice: bigint
  /** Millionths of what is given. */
  feePpm: bigint
}

export type ExchangeOutcome = {
  /** What leaves the desk: received and fee. */
  gross: bigint
  received: bigint
  fee: bigint
}

/**
 * received = floor(amountIn × fromPrice × (1,000,000 − feePpm) ÷ (toPrice × 1,000,000)): one rounding, down, so it is never
 * above the exact value and less than one base unit below it.
 */
export function exchangeAt({ amountIn, fromPrice, toPrice, feePpm }: ExchangeTerms): ExchangeOutcome {
  if (amountIn < 0n || fromPrice < 0n || toPrice <= 0n || feePpm < 0n || feePpm > PPM) {
    throw new RangeError('an exchange takes no negative terms, a price to divide by, and a fee of at most all of it')
  }
  const worth = amountIn * fromPrice
  const gross = worth / toPrice
  const received = (worth * (PPM - feePpm)) / (toPrice * PPM)
  return { gross, received, fee: gross - received }
}

/** How much of the asset one whole unit of the other gives before the fee; rounded down, for people. */
export const exchangeRate = ({ fromPrice, toPrice }: Pick<ExchangeTerms, 'fromPrice' | 'toPrice'>): bigint =>
  (fromPrice * WHOLE) / toPrice

/** How far a price may move between a quote and its exchange before the app asks again: 0.5 %. */
export const TOLERANCE_PPM = 5_000n

/** The least that the app agrees to when a quote promises `received`. */
export const minReceivedOf = (received: bigint): bigint => (received * (PPM - TOLERANCE_PPM)) / PPM
