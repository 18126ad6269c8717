import { mulDiv } from './money.ts'

/**
 * How a day's revenue is shared. The server closes days by it and the app recomputes incomes by it, so that everybody
 * can check them. Amounts in base units, rates in millionths.
 */

const MILLION = 1_000_000n

/** Decimals of a rate on the wire: "0.05" is 50000 millionths. */
export const RATE_DECIMALS = 6

/** What a day has to share: nothing without revenue of its own, whatever earlier days left over. */
export const poolOf = (day: { revenue: bigint; carriedIn: bigint }): bigint =>
  day.revenue === 0n ? 0n : day.revenue + day.carriedIn

/** What a plan's rate is applied to: the same for every member of a day. */
export type Sharing = { pool: bigint; totalUnits: bigint }

/** floor(pool × (1 − service fee) × units ÷ total units); nothing when nobody had power. */
export const shareOf = ({ pool, totalUnits }: Sharing, fee_ppm: bigint, units: bigint): bigint =>
  totalUnits === 0n ? 0n : mulDiv(pool * (MILLION - fee_ppm), units, MILLION * totalUnits)

/** floor(pool × service fee × units ÷ total units) for all units of a plan together. */
export const serviceFeeOf = ({ pool, totalUnits }: Sharing, fee_ppm: bigint, units: bigint): bigint =>
  totalUnits === 0n ? 0n : mulDiv(pool * fee_ppm, units, MILLION * totalUnits)
