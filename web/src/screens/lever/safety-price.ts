import { priceAtLine } from '@candela/protocol/lending/lines'
import { fromBaseUnits, toBaseUnits } from '@candela/protocol/money/money'
import { RATE_DECIMALS } from '@candela/protocol/units'
import type { LeverQuote } from './use-lever-quote.ts'

/** The price at which the safety line would be reached. The first day is owed from the start. */
export function safetyPriceOf({ loan, interestPerDay, bought, safetyLine }: LeverQuote): string | null {
  const secured = { debt: toBaseUnits(loan) + toBaseUnits(interestPerDay), collateral: toBaseUnits(bought) }
  const price = priceAtLine(secured, toBaseUnits(safetyLine, RATE_DECIMALS))
  return price === null ? null : fromBaseUnits(price)
}
