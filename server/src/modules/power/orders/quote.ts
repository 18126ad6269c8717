import { WHOLE_UNIT } from '@candela/protocol/units'
import type { AssetCode } from '@candela/protocol/money/assets'
import { codes } from '@candela/protocol/codes/codes'
import { mulDivUp } from '@candela/protocol/money/money'
import { readUsablePrice } from '../../../chain/price/price.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { Database } from '../../../db/open.ts'

/** USDT is the unit of account: it costs exactly one USDT. In USDT base units. */
export const USDT_PRICE = WHOLE_UNIT

/** The assets that a purchase is paid with. */
export type PaymentAsset = Extract<AssetCode, 'JU' | 'USDT'>

/** The terms of a plan that decide whether and for how much it can be bought. */
export type PlanTerms = {
  /** USDT base units per unit of power. */
  unitPrice: bigint
  minUnits: bigint
  maxUnits: bigint
  unitsLeft: bigint
  closed: boolean
}

export type Quote = {
  /** USDT base units. */
  costUsdt: bigint
  /** Base units of the payment asset. */
  payable: bigint
  /** USDT base units per whole unit of the payment asset. */
  price: bigint
}

/**
 * Refuses a quantity that the plan does not sell.
 * @throws AppError 404 for a closed plan, 4202 below its minimum, 4203 above its maximum, 4401 when too few units are left
 */
export function checkUnits(plan: PlanTerms, units: number): void {
  if (plan.closed) throw new AppError(codes.notFound)
  const wanted = BigInt(units)
  if (wanted < plan.minUnits) throw new AppError(codes.belowMinimum, { minimum: String(plan.minUnits) })
  if (wanted > plan.maxUnits) throw new AppError(codes.aboveLimit, { limit: String(plan.maxUnits) })
  if (wanted > plan.unitsLeft) throw new AppError(codes.planSoldOut, { left: String(plan.unitsLeft) })
}

/**
 * Computes what a quantity costs. The payable amount is rounded up to the next base unit, so that a payment of it is never worth less
 * than the cost at that price.
 * @param price USDT base units per whole unit of the payment asset
 */
export function quoteUnits(unitPrice: bigint, units: number, price: bigint): Quote {
  const costUsdt = unitPrice * BigInt(units)
  return { costUsdt, payable: mulDivUp(costUsdt, WHOLE_UNIT, price), price }
}

/** The price to sell at, in USDT base units per whole unit; USDT always has one. @throws AppError 5031 while it is paused */
export async function requirePrice(db: Database, asset: PaymentAsset, now: Date): Promise<bigint> {
  const price = await readUsablePrice(db, asset, now)
  if (price === null) throw new AppError(codes.pricePaused, { asset })
  return price
}
