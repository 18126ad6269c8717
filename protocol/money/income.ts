import { mulDiv } from './money.ts'
import { PPM } from '../units.ts'

/**
 * How a day's revenue is shared. The server closes days with it and the app recomputes incomes with it, so that everybody
 * can check them. Amounts are base units, rates are millionths.
 */

/** The amount that a day shares: its revenue and what earlier days left; nothing when it has no revenue of its own. */
export const poolOf = (day: { revenue: bigint; carriedIn: bigint }): bigint =>
  day.revenue === 0n ? 0n : day.revenue + day.carriedIn

/** The figures of a day from which every member's share is computed. */
export type Sharing = { pool: bigint; totalUnits: bigint }

/** floor(pool × (1 − service fee) × units ÷ total units); nothing when nobody had power. */
export const shareOf = ({ pool, totalUnits }: Sharing, fee_ppm: bigint, units: bigint): bigint =>
  totalUnits === 0n ? 0n : mulDiv(pool * (PPM - fee_ppm), units, PPM * totalUnits)

/** floor(pool × service fee × units ÷ total units) for all units of a plan together. */
export const serviceFeeOf = ({ pool, totalUnits }: Sharing, fee_ppm: bigint, units: bigint): bigint =>
  totalUnits === 0n ? 0n : mulDiv(pool * fee_ppm, units, PPM * totalUnits)
