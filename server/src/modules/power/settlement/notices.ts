import { fromBaseUnits } from '@candela/protocol/money/money'
import { type ConfirmedPayment, paymentPostingId } from '../../../chain/crediting/credit-payments.ts'
import type { Notice } from '../../notice/notify.ts'
import type { PurchaseDecision } from './decide-purchases.ts'

/** The notices of an order that ended unbought. */
const kinds = { late: 'orderLate', mismatch: 'orderMismatch', soldOut: 'orderSoldOut' } as const

/** The notice for an order's owner about a payment that settled it; null when it touched no order. */
export function purchaseNotice(
  { payment, decision }: { payment: ConfirmedPayment; decision: PurchaseDecision },
  now: Date,
): Notice | null {
  if (decision.kind === 'unmatched') return null
  const { order } = decision
  // The posting that puts the money on a balance has this id: its receiver is told of it here, and not once more.
  const told = { memberId: order.memberId, source: paymentPostingId(payment, 0), at: now }
  if (decision.kind === 'active') {
    const params = { orderNo: order.orderNo, units: order.units.toString(), ...decision.term }
    return { ...told, kind: 'orderActivated', params }
  }
  const { asset, amount, txHash } = payment
  const params = { orderNo: order.orderNo, asset, amount: fromBaseUnits(amount), txHash }
  return { ...told, kind: kinds[decision.kind], params }
}
