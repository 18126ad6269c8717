import type { SettlePayments } from '../../chain/crediting/credit-payments.ts'
import { settleReceipts } from '../deposit/settle-receipts.ts'
import { settleRepayments } from '../lending/loan/repay/settle-repayments.ts'
import { notePaidIn } from '../member/note-paid-in.ts'
import { settlePurchases } from '../power/settlement/settle-purchases.ts'
import { settlePayouts } from '../withdraw/payout/settle-payouts.ts'
import { paidInBy } from './paid-in.ts'

/**
 * Everything that can become of a confirmed payment: purchases to `power`, repayments to `lending`, payouts to
 * `withdraw`, all else to `deposit`.
 */
export const settlePayments: SettlePayments = async (tx, payments, now) => {
  const purchases = payments.filter(({ action }) => action === 'buyPower')
  const repayments = payments.filter(({ action }) => action === 'repay')
  const receipts = payments.filter(({ action }) => action !== 'buyPower' && action !== 'repay' && action !== 'paid')
  const payouts = payments.filter(({ action }) => action === 'paid')
  const dispositions = [
    ...(await settlePurchases(tx, purchases, now)),
    ...(await settleRepayments(tx, repayments, now)),
    ...(await settleReceipts(tx, receipts, now)),
    ...(await settlePayouts(tx, payouts, now)),
  ]
  await notePaidIn(tx, paidInBy(payments, dispositions), now)
  return dispositions
}
