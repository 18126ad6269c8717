import type { AssetCode } from '@candela/protocol/money/assets'
import type { PowerOrderState } from '../../../db/tables/power.ts'
import { termOf, type Term } from '../holdings/term.ts'

/** A confirmed payment with the action `buyPower`, in the order of the chain. Amounts are base units. */
export type PurchasePayment = {
  /** The order number that the payer gave. */
  reference: string
  asset: AssetCode
  amount: bigint
  payer: string
  /** The time of the block that holds it. */
  blockAt: Date
  /** When it counts, where the chain stood still before. */
  countsAt?: Date
}

export type OrderFacts = {
  id: bigint
  orderNo: string
  memberId: bigint
  /** The address of the member who made the order. */
  owner: string
  /** The member who invited that member; null for nobody. */
  inviterId: bigint | null
  planId: bigint
  units: bigint
  asset: AssetCode
  payable: bigint
  /** USDT base units per whole unit of `asset`. */
  price: bigint
  state: PowerOrderState
  /** Whether its units are set aside and not among those that the plan has left; only while it is pending. */
  isReserved: boolean
  payBefore: Date
  watchUntil: Date
  termDays: number
}

/** Everything that the decision depends on, read in the transaction that will carry it out. */
export type PurchaseFacts = {
  orders: readonly OrderFacts[]
  plans: readonly { id: bigint; unitsLeft: bigint; closed: boolean }[]
  /** Average prices in USDT base units per whole unit; null while paused or unknown. */
  priceOf: (asset: AssetCode) => bigint | null
  /** How far the price may have moved for a late payment to count still, in hundredths of a percent. */
  lateToleranceBps: number
  /** The first day whose revenue is not shared yet; null before the first close. */
  firstOpenDay: string | null
}

/** Why a payment did not buy what it names; also what the operator and the tests read. */
export type Reason = 'unknownOrder' | 'alreadySettled' | 'notWatched' | 'foreignMismatch'

export type PurchaseDecision =
  /** The money buys the order's power. `unitsDelta` is what the plan's units left change by. */
  | { kind: 'active'; order: OrderFacts; term: Term; unitsDelta: bigint }
  /** The order ends unbought; the money belongs to its sender. */
  | { kind: 'late' | 'mismatch' | 'soldOut'; order: OrderFacts; unitsDelta: bigint }
  /** No order is touched; the money belongs to its sender. */
  | { kind: 'unmatched'; reason: Reason }

/**
 * Decides each payment in turn, so that the first of two payments for one order counts, and the last units go to who
 * paid for them first. Pure: the same facts always give the same decisions.
 */
export function decidePurchases(payments: readonly PurchasePayment[], facts: PurchaseFacts): PurchaseDecision[] {
  const open = new Map(facts.orders.map((order) => [order.orderNo, order]))
  const settled = new Set<bigint>()
  const plans = new Map(facts.plans.map((plan) => [plan.id, { ...plan }]))
  return payments.map((payment) => {
    const order = open.get(payment.reference)
    const reason = untouched(payment, order, settled)
    if (order === undefined || reason !== null) return { kind: 'unmatched', reason: reason ?? 'unknownOrder' }
    settled.add(order.id)
    const plan = plans.get(order.planId) ?? { unitsLeft: 0n, closed: true }
    const decision = settle(payment, order, plan, facts)
    plan.unitsLeft += decision.unitsDelta
    return decision
  })
}

/** Why a payment leaves the order as it is, or null when it settles it one way or another. */
function untouched(
  payment: PurchasePayment,
  order: OrderFacts | undefined,
  settled: ReadonlySet<bigint>,
): Reason | null {
  if (order === undefined) return 'unknownOrder'
  if (settled.has(order.id) || (order.state !== 'pending' && order.state !== 'cancelled')) return 'alreadySettled'
  if ((payment.countsAt ?? payment.blockAt) > order.watchUntil) return 'notWatched'
  // Otherwise anyone who sees an order number on chain could spoil the order with one base unit.
  if (!isExact(payment, order) && payment.payer !== order.owner) return 'foreignMismatch'
  return null
}

function settle(
  payment: PurchasePayment,
  order: OrderFacts,
  plan: { unitsLeft: bigint; closed: boolean },
  facts: PurchaseFacts,
): Exclude<PurchaseDecision, { kind: 'unmatched' }> {
  const released = order.isReserved ? order.units : 0n
  if (!isExact(payment, order)) return { kind: 'mismatch', order, unitsDelta: released }
  const late = (payment.countsAt ?? payment.blockAt) > order.payBefore
  const priced = !late || priceHolds(order.price, facts.priceOf(order.asset), facts.lateToleranceBps)
  // A plan that was closed since sells nothing more to a late payment.
  const onSale = order.isReserved || !(late && plan.closed)
  if (!priced || !onSale) return { kind: 'late', order, unitsDelta: released }
  // Without units set aside for it, or with units that went back on sale, the order takes what is left by now.
  if (!order.isReserved && plan.unitsLeft < order.units) return { kind: 'soldOut', order, unitsDelta: 0n }
  return {
    kind: 'active',
    order,
    term: termOf(payment.blockAt, order.termDays, facts.firstOpenDay),
    unitsDelta: order.isReserved ? 0n : -order.units,
  }
}

const isExact = (payment: PurchasePayment, order: OrderFacts): boolean =>
  payment.asset === order.asset && payment.amount === order.payable

/** True while the price is known and has moved by less than the tolerance, in either direction. */
function priceHolds(agreed: bigint, now: bigint | null, tolerance_bps: number): boolean {
  if (now === null) return false
  const moved = now > agreed ? now - agreed : agreed - now
  return moved * 10_000n < agreed * BigInt(tolerance_bps)
}
