import { interestOf } from '@candela/protocol/lending/interest'
import { mortgageRate, priceAtLine } from '@candela/protocol/lending/lines'
import type { ProjectItem } from '@candela/protocol/endpoints/project'
import { toBaseUnits } from '@candela/protocol/money/money'
import { RATE_DECIMALS } from '@candela/protocol/units'
import type { LoanQuote } from './use-loan-quote.ts'

export type RecomputedQuote = {
  interest: bigint
  repayment: bigint
  liquidationPrice: bigint
  /** Millionths. */
  rate: bigint | null
}

/** The figures of a quote, computed from the amount, the collateral and the price alone. The first day is owed from the start. */
export function recomputeQuote(
  quote: LoanQuote,
  { clearingLine }: Pick<ProjectItem, 'clearingLine'>,
  days: number,
): RecomputedQuote {
  const amount = toBaseUnits(quote.amount)
  const rate_ppm = toBaseUnits(quote.rate, RATE_DECIMALS)
  const interest = interestOf(amount, rate_ppm, days)
  const secured = { debt: amount + interestOf(amount, rate_ppm, 1), collateral: toBaseUnits(quote.collateral) }
  return {
    interest,
    repayment: amount + interest,
    liquidationPrice: priceAtLine(secured, toBaseUnits(clearingLine, RATE_DECIMALS)) ?? 0n,
    rate: mortgageRate(secured, toBaseUnits(quote.price.used)),
  }
}
