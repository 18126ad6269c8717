import { MINUTE_MS } from '@candela/protocol/units'
import { codes } from '@candela/protocol/codes/codes'
import type { Data, HandlerInput } from '@candela/protocol/endpoints'
import { shareOf } from '@candela/protocol/money/income'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { describePrice, readPrices } from '../../../chain/price/price.ts'
import type { Database } from '../../../db/open.ts'
import { readSettings } from '../../../db/settings.ts'
import { AppError } from '../../../kernel/errors.ts'
import { type LastDay, readLastDay } from '../../income/read-day.ts'
import { type Plan, canReserve, findPlan } from '../plans/plan.ts'
import { type PaymentAsset, checkUnits, quoteUnits } from './quote.ts'

const endpoint = 'GET power/calc'

/**
 * Computes what a quantity of a plan costs now. It reserves nothing: the same may be sold out, or cost more, when it is ordered.
 * @throws AppError 404 plan unknown or closed, 4202, 4203, 4401 quantity, 5031 price paused
 */
export async function calculate(
  db: Database,
  input: HandlerInput<typeof endpoint>,
  now: Date,
): Promise<Data<typeof endpoint>> {
  const asset: PaymentAsset = input.asset ?? 'JU'
  const [plan, prices, settings, lastDay] = await Promise.all([
    findPlan(db, input.planId),
    readPrices(db, now),
    readSettings(db),
    readLastDay(db),
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
    isReserved: canReserve(plan, BigInt(input.units)),
    quoteExpiresAt: new Date(now.getTime() + settings.orderMinutes * MINUTE_MS).toISOString(),
    illustration: illustrate(lastDay, plan, input.units),
  }
}

/** Computes what the quantity would have earned on the last closed day; null when that day paid nothing, never a made-up figure. */
function illustrate(day: LastDay | null, plan: Plan, units: number): Data<typeof endpoint>['illustration'] {
  if (day === null || day.pool === 0n || day.totalUnits === 0n) return null
  const at = (pool: bigint) => {
    const share = (count: number) =>
      fromBaseUnits(shareOf({ pool, totalUnits: day.totalUnits }, BigInt(plan.serviceFee_ppm), BigInt(count)))
    return { outputPerUnit: share(1), output: share(units) }
  }
  return { day: day.day, yesterday: at(day.pool), worse: at(day.pool / 2n), better: at((day.pool * 3n) / 2n) }
}
