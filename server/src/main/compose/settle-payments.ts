import type { SettlePayments } from '../../chain/crediting/credit-confirmed.ts'
import { settleReceipts } from '../../modules/deposit/settle-receipts.ts'
import { firstOpenDay } from '../../modules/income/open-day.ts'
import { repaymentSettler } from '../../modules/lending/loan/repay/settle-repayments.ts'
import { notePaidIn } from '../../modules/member/note-paid-in.ts'
import { notify } from '../../modules/notice/notify.ts'
import { addLent } from '../../modules/lending/project/lend.ts'
import { countPurchases } from '../../modules/ranking/count-purchases.ts'
import { payoutSettler } from '../../modules/withdraw/payout/settle-payouts.ts'
import { paidInBy } from './paid-in.ts'
import { purchaseSettler, type SettlePurchasesDeps } from '../../modules/power/settlement/settle-purchases.ts'

/**
 * Everything that can become of a confirmed payment: purchases to `power`, repayments to `loan`, payouts to
 * `withdraw`, all else to `deposit`.
 */
export function paymentSettler(deps: Pick<SettlePurchasesDeps, 'readPrice'>): SettlePayments {
  const settlePurchases = purchaseSettler({
    ...deps,
    settleUnmatched: settleReceipts,
    notify,
    firstOpenDay,
    countPurchases,
  })
  const settleRepayments = repaymentSettler({ notify, addLent, settleUnmatched: settleReceipts })
  const settlePayouts = payoutSettler(notify)
  return async (tx, payments, now) => {
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
}
