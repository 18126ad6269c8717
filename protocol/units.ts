/** Factors between units, each written once. */

/** Decimals of every asset: base units per whole unit are 10^18. */
export const ASSET_DECIMALS = 18

/** Base units of one whole unit of any asset. */
export const WHOLE_UNIT = 10n ** BigInt(ASSET_DECIMALS)

/** Decimals of a rate on the wire: "0.05" is 50000 millionths. */
export const RATE_DECIMALS = 6

/** Millionths of a whole, in which rates and fees are computed. */
export const PPM = 10n ** BigInt(RATE_DECIMALS)

/** Milliseconds. */
export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS
