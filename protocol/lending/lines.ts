import { mulDiv, mulDivUp } from '../money/money.ts'
import { PPM, WHOLE_UNIT } from '../units.ts'

/**
 * Mortgage rate, lines and prices at them. Debts are USDT base units, collateral is base units of its asset, prices are
 * USDT base units per whole unit, lines are millionths.
 */

/** safe < safety line ≤ warning < clearing line ≤ liquidating. */
export type SafetyStatus = 'safe' | 'warning' | 'liquidating'
export type Lines = { safety_ppm: bigint; clearing_ppm: bigint }

/** A debt with what secures it. */
export type Secured = { debt: bigint; collateral: bigint }

/** floor(collateral × price). */
export const collateralValue = (collateral: bigint, price: bigint): bigint => mulDiv(collateral, price, WHOLE_UNIT)

/** True when debt ÷ (collateral × price) is at the line or above it; nothing is rounded. A debt of zero never is. */
export const reaches = ({ debt, collateral }: Secured, price: bigint, line_ppm: bigint): boolean =>
  debt > 0n && debt * PPM * WHOLE_UNIT >= line_ppm * collateral * price

/**
 * floor(debt ÷ (collateral × price)) in millionths; null when there is a debt and nothing of worth secures it. Rounded down, so
 * that the rate is at a line exactly when `reaches` is true. Whether a loan is within its initial rate is for `maxDebt` to say.
 */
export function mortgageRate({ debt, collateral }: Secured, price: bigint): bigint | null {
  if (debt === 0n) return 0n
  const worth = collateral * price
  return worth === 0n ? null : mulDiv(debt * PPM, WHOLE_UNIT, worth)
}

export function safetyStatus(secured: Secured, price: bigint, lines: Lines): SafetyStatus {
  if (reaches(secured, price, lines.clearing_ppm)) return 'liquidating'
  return reaches(secured, price, lines.safety_ppm) ? 'warning' : 'safe'
}

/**
 * The highest price at which the line is reached: floor(debt ÷ (collateral × line)). At this price and below it
 * `reaches` is true, above it is not. Null without collateral.
 */
export const priceAtLine = ({ debt, collateral }: Secured, line_ppm: bigint): bigint | null =>
  collateral === 0n ? null : mulDiv(debt * PPM, WHOLE_UNIT, collateral * line_ppm)

/** How far a price may fall until it is at `linePrice`, in millionths of itself, rounded down; zero when it is below. */
export const fallTo = (price: bigint, linePrice: bigint): bigint =>
  price <= linePrice ? 0n : mulDiv(price - linePrice, PPM, price)

/** The most that may be owed against a collateral: floor(collateral × price × initial rate). */
export const maxDebt = (collateral: bigint, price: bigint, initial_ppm: bigint): bigint =>
  mulDiv(collateral * price, initial_ppm, WHOLE_UNIT * PPM)

/** The least collateral for a debt: ceil(debt ÷ (price × initial rate)). */
export const collateralFor = (debt: bigint, price: bigint, initial_ppm: bigint): bigint =>
  mulDivUp(debt * PPM, WHOLE_UNIT, price * initial_ppm)

/** How much collateral can be released so that the mortgage rate stays at the initial rate or below it. */
export function releasable({ debt, collateral }: Secured, price: bigint, initial_ppm: bigint): bigint {
  if (debt === 0n) return collateral
  const needed = collateralFor(debt, price, initial_ppm)
  return collateral > needed ? collateral - needed : 0n
}
