import { codes } from '@candela/protocol/codes/codes'
import { exchangeAt } from '@candela/protocol/money/exchange'
import { mulDivUp } from '@candela/protocol/money/money'
import { PPM, WHOLE_UNIT } from '@candela/protocol/units'
import type { Price } from '../../../chain/price/price.ts'
import { lowerPrice, marginPrice, salePrice } from '../../../chain/price/use-price.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { Part } from '../loan/lever/lever-loan.ts'

export type ClosePlan = {
  /** USDT base units per whole unit. */
  price: bigint
  /** The amount that the whole part would bring at the price, after the fee. */
  worth: bigint
  sold: bigint
  proceeds: bigint
  fee: bigint
}

/**
 * Plans how much closing a part sells. All of it, as on the exchange, while that fits into the desk's hour. Else as much as repays its
 * debt, outside of the hour, at the price of a liquidation: so nobody can use up the hour, or keep the price paused, until another's
 * position is liquidated.
 * @throws AppError 5031 while the price is paused, unless the position could be liquidated now
 */
export function planClose({ amount, due, isDueAt }: Part, price: Price, feePpm: bigint, fitsHour: boolean): ClosePlan {
  if (!price.paused && fitsHour) return planAt(amount, lowerPrice(price), amount, feePpm)
  if (price.paused && !isDueAt(marginPrice(price))) throw new AppError(codes.pricePaused, { asset: price.asset })
  const used = salePrice(price)
  const gross = mulDivUp(due, PPM, PPM - feePpm)
  // The gross is rounded down once more than the amount is rounded up.
  const needed = mulDivUp(gross + 1n, WHOLE_UNIT, used)
  return planAt(amount, used, needed < amount ? needed : amount, feePpm)
}

function planAt(amount: bigint, price: bigint, sold: bigint, feePpm: bigint): ClosePlan {
  const at = (amountIn: bigint) => exchangeAt({ amountIn, fromPrice: price, toPrice: WHOLE_UNIT, feePpm })
  const { received, fee } = at(sold)
  return { price, worth: at(amount).received, sold, proceeds: received, fee }
}
