import { planLiquidation } from '@candela/protocol/lending/liquidation'
import { mortgageRate } from '@candela/protocol/lending/lines'
import { salePriceOf } from '@candela/protocol/lending/sale-price'
import { toBaseUnits } from '@candela/protocol/money/money'
import { RATE_DECIMALS } from '@candela/protocol/units'
import type { Detail, Liquidation } from './loan-types.ts'

/** Figures of a report that may differ from what they are computed from. */
export const liquidationFigures = [
  'mortgageRate',
  'watchPrice',
  'salePrice',
  'full',
  'sold',
  'proceeds',
  'repaid',
  'fee',
  'returned',
  'shortfall',
  'incomplete',
] as const
export type LiquidationFigure = (typeof liquidationFigures)[number]

/** Lists the figures of a liquidation that differ when everything is computed again from debt, collateral and prices. */
export function disagreementsOf(report: Liquidation, terms: Pick<Detail['terms'], 'fullBelow'>): LiquidationFigure[] {
  const debt = {
    principal: toBaseUnits(report.principal),
    interest: toBaseUnits(report.interest),
    charges: toBaseUnits(report.charges),
  }
  const collateral = toBaseUnits(report.collateral)
  const { watchPrice, salePrice } = pricesOf(report)
  const plan = planLiquidation({
    reason: report.reason,
    debt,
    collateral,
    watchPrice,
    salePrice,
    terms: {
      clearing_ppm: toBaseUnits(report.clearingLine, RATE_DECIMALS),
      liquidationFee_ppm: toBaseUnits(report.feeRate, RATE_DECIMALS),
      fullBelow: toBaseUnits(terms.fullBelow),
    },
    deskUsdt: toBaseUnits(report.deskUsdt),
  })
  const rate = mortgageRate({ debt: debt.principal + debt.interest + debt.charges, collateral }, watchPrice)
  // Nothing would have been liquidated: every figure that came of it is wrong.
  const here = {
    mortgageRate: rate,
    watchPrice,
    salePrice,
    ...(plan ?? { full: !report.full, incomplete: !report.incomplete, sold: null, proceeds: null }),
  }
  const booked = {
    mortgageRate: report.mortgageRate === null ? null : toBaseUnits(report.mortgageRate, RATE_DECIMALS),
    watchPrice: toBaseUnits(report.watchPrice),
    salePrice: toBaseUnits(report.salePrice),
    full: report.full,
    incomplete: report.incomplete,
    sold: toBaseUnits(report.sold),
    proceeds: toBaseUnits(report.proceeds),
    repaid: toBaseUnits(report.repaid),
    fee: toBaseUnits(report.fee),
    returned: toBaseUnits(report.returned),
    shortfall: toBaseUnits(report.shortfall),
  }
  const figures: Partial<Record<LiquidationFigure, unknown>> = here
  return liquidationFigures.filter((figure) => figures[figure] !== booked[figure])
}

/** Reports of before have neither median nor day: there the higher of two prices decided, and the lower of two was paid. */
function pricesOf({ spot: seen, average5: five, median5, average30: thirty, averageDay }: Liquidation) {
  const [spot, average5, average30] = [toBaseUnits(seen), toBaseUnits(five), toBaseUnits(thirty)]
  if (median5 === null || averageDay === null) {
    return { watchPrice: spot > average5 ? spot : average5, salePrice: spot < average30 ? spot : average30 }
  }
  const median = toBaseUnits(median5)
  return {
    watchPrice: median,
    salePrice: salePriceOf({ spot, median5: median, average30, averageDay: toBaseUnits(averageDay) }),
  }
}
