import { daysBetween } from '../calendar.ts'
import { mulDivUp } from '../money/money.ts'
import { PPM } from '../units.ts'

/**
 * Interest of loans: simple, actual/365 fixed (the "Act/365 Fixed" day count of the 2006 ISDA Definitions, 4.16(d)). It is
 * charged day by day, so the sum of what was charged is what this file computes. Amounts are USDT base units, rates are
 * millionths a year.
 */

const DAYS_OF_A_YEAR = 365n

/**
 * Interest of one day: ceil(principal × rate ÷ 365). Rounded up, in favour of the fund, by less than one base unit a day.
 * @throws RangeError for a negative principal or rate
 */
export const dayInterest = (principal: bigint, rate_ppm: bigint): bigint =>
  mulDivUp(principal, rate_ppm, PPM * DAYS_OF_A_YEAR)

/**
 * How many days of interest a loan that is opened on `openedOn` has cost when it is repaid on `day`: one for each UTC day
 * that began since then, at least one. A loan over 30 days costs 30 days.
 */
export const interestDays = (openedOn: string, day: string): number => Math.max(1, daysBetween(openedOn, day))

/** Interest of a number of days on a principal that does not change meanwhile. */
export const interestOf = (principal: bigint, rate_ppm: bigint, days: number): bigint =>
  dayInterest(principal, rate_ppm) * BigInt(days)

/**
 * The part of interest and late charges that goes to the reserve, computed from the sum since the loan was opened, so that
 * the parts of many small amounts add up to the part of their sum: floor((before + amount) × share) − floor(before × share).
 * The fund has the rest.
 * @param before charged (or paid) before, since the loan was opened
 */
export function splitInterest(before: bigint, amount: bigint, reserve_ppm: bigint): { fund: bigint; reserve: bigint } {
  const reserve = ((before + amount) * reserve_ppm) / PPM - (before * reserve_ppm) / PPM
  return { fund: amount - reserve, reserve }
}
