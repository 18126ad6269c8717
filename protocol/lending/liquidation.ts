import { mulDiv, mulDivUp } from '../money/money.ts'
import { PPM, WHOLE_UNIT } from '../units.ts'
import { collateralValue, reaches } from './lines.ts'
import { type Debt, type LoanTerms, totalOf } from './loan.ts'

/**
 * Effect of a liquidation. Amounts are base units, prices USDT base units per whole unit. Two prices decide: the
 * median of 5 minutes says whether a line is reached, and `salePriceOf` what the desk pays.
 */

/** line: the clearing line is reached. default: an amount is unpaid for too long. term: a leveraged loan has ended. */
export type LiquidationReason = 'line' | 'default' | 'term'

export type LiquidationInput = {
  reason: LiquidationReason
  debt: Debt
  collateral: bigint
  watchPrice: bigint
  salePrice: bigint
  terms: Pick<LoanTerms, 'clearing_ppm' | 'liquidationFee_ppm' | 'fullBelow'>
  /** USDT that the desk can pay now. */
  deskUsdt: bigint
}

export type Liquidation = {
  /** True when the whole debt is to be repaid, false for half of it. */
  full: boolean
  /** The part of the debt that is to be repaid now. */
  target: bigint
  sold: bigint
  /** repaid + fee: what the desk pays for `sold`. */
  proceeds: bigint
  repaid: bigint
  fee: bigint
  /** Collateral that is the borrower's again, because the debt is gone. */
  returned: bigint
  /** Debt that no collateral is left for. */
  shortfall: bigint
  /** The desk was short: the rest is liquidated later. */
  incomplete: boolean
}

/** Above clearing line ÷ 0.95 half is not enough. */
const FULL_BEYOND_PERCENT = 95n

/** True when the whole debt is liquidated and not half of it. */
export function isFull({ reason, debt, collateral, watchPrice, terms }: LiquidationInput): boolean {
  const total = totalOf(debt)
  if (reason !== 'line' || total < terms.fullBelow) return true
  // rate ≥ clearing ÷ 0.95, without rounding
  return reaches({ debt: total * FULL_BEYOND_PERCENT, collateral: collateral * 100n }, watchPrice, terms.clearing_ppm)
}

/**
 * Plans one liquidation; null when there is nothing to do: no debt, or the line is not reached. Sells as little collateral
 * as pays the target and its fee, at most all of it, and at most what the desk can pay for. Nothing when that is too little to repay
 * anything after the fee.
 */
export function planLiquidation(input: LiquidationInput): Liquidation | null {
  const { reason, debt, collateral, watchPrice, salePrice, terms, deskUsdt } = input
  const total = totalOf(debt)
  if (total === 0n) return null
  if (reason === 'line' && !reaches({ debt: total, collateral }, watchPrice, terms.clearing_ppm)) return null
  const full = isFull(input)
  const target = full ? total : (total + 1n) / 2n
  const wanted = target + mulDivUp(target, terms.liquidationFee_ppm, PPM)
  const worth = collateralValue(collateral, salePrice)
  const repays = (paid: bigint) => (paid === wanted ? target : mulDiv(paid, PPM, PPM + terms.liquidationFee_ppm))
  const desk = repays(deskUsdt) === 0n ? 0n : deskUsdt
  const proceeds = [wanted, worth, desk].reduce((least, amount) => (amount < least ? amount : least))
  const repaid = repays(proceeds)
  const sold = proceeds === worth && proceeds < wanted ? collateral : mulDivUp(proceeds, WHOLE_UNIT, salePrice)
  const isGone = sold === collateral
  const left = total - repaid
  return {
    full,
    target,
    sold,
    proceeds,
    repaid,
    fee: proceeds - repaid,
    returned: left === 0n ? collateral - sold : 0n,
    shortfall: isGone ? left : 0n,
    incomplete: proceeds < wanted && !isGone,
  }
}
