import { codes } from '@candela/protocol/codes'
import type { Data, HandlerInput } from '@candela/protocol/endpoints'
import { fromBaseUnits } from '@candela/protocol/money'
import { describePrice } from '../../chain/describe-price.ts'
import { readPrices } from '../../chain/price.ts'
import type { Database } from '../../db/open.ts'
import { readSettings } from '../../db/settings.ts'
import { AppError } from '../../kernel/errors.ts'
import { findPlan } from './find-plan.ts'
import { checkUnits, type PaymentAsset, quoteUnits } from './quote.ts'
import { MINUTE_MS } from './term.ts'

const endpoint = 'GET power/calc'

/**
 * What a quantity of a plan costs now. It reserves nothing: the same may be sold out, or cost more, when it is ordered.
 * @throws AppError 404 plan unknown or closed, 4202, 4203, 4401 quantity, 5031 price paused
 */
export async function calculate(
  db: Database,
  input: HandlerInput<typeof endpoint>,
  now: Date,
): Promise<Data<typeof endpoint>> {
  const asset: PaymentAsset = input.asset ?? 'JU'
  const [plan, prices, settings] = await Promise.all([
    findPlan(db, input.planId),
    readPrices(db, now),
    readSettings(db),
  ])
  checkUnits(plan, input.units)
  const price = prices[asset]
  if (price.paused || price.average === null) throw new AppError(codes.pricePaused, { asset })
  const quote = quoteUnits(plan.unitPrice, input.units, price.average)
  return {
    planId: String(plan.id),
    units: input.units,
    costUsdt: fromBaseUnits(quote.costUsdt),
    asset,
    payable: fromBaseUnits(quote.payable),
    price: describePrice(price),
    quoteExpiresAt: new Date(now.getTime() + settings.orderMinutes * MINUTE_MS).toISOString(),
    // Days are not closed yet, so that there is no real output to illustrate with; a made-up one is never shown.
    illustration: null,
  }
}
