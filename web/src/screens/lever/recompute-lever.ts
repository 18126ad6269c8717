import { leverTermsOf } from '@candela/protocol/lending/lever/leverage'
import { fromBaseUnits, toBaseUnits } from '@candela/protocol/money/money'
import { RATE_DECIMALS } from '@candela/protocol/units'
import type { LeverQuote } from './use-lever-quote.ts'

/** Figures of a quote that follow from its inputs. */
const figures = [
  'loan',
  'total',
  'bought',
  'fee',
  'interestPerDay',
  'interest',
  'repayment',
  'liquidationPrice',
] as const
export type LeverFigure = (typeof figures)[number] | 'mortgageRate' | 'status' | 'risk'

/** Lists the figures of a quote that differ when they are computed again from margin, ratio and prices. */
export function disagreementsOf(quote: LeverQuote, days: number): LeverFigure[] {
  const here = leverTermsOf({
    margin: toBaseUnits(quote.margin),
    ratio_tenths: Number(toBaseUnits(quote.ratio, 1)),
    buyPrice: toBaseUnits(quote.buyPrice),
    fee_ppm: BigInt(quote.feePpm),
    debtPrice: toBaseUnits(quote.price.used),
    rate_ppm: toBaseUnits(quote.rate, RATE_DECIMALS),
    days,
    lines: {
      safety_ppm: toBaseUnits(quote.safetyLine, RATE_DECIMALS),
      clearing_ppm: toBaseUnits(quote.clearingLine, RATE_DECIMALS),
    },
  })
  const rate = here.rate === null ? null : fromBaseUnits(here.rate, RATE_DECIMALS)
  return [
    ...figures.filter((figure) => here[figure] !== toBaseUnits(quote[figure])),
    ...(rate === quote.mortgageRate ? [] : (['mortgageRate'] as const)),
    ...(here.status === quote.status ? [] : (['status'] as const)),
    ...(here.risk === quote.risk ? [] : (['risk'] as const)),
  ]
}
