import { type ConfirmedPayment, paymentPostingId } from '../../chain/credit.ts'
import { platformAccount } from '../../ledger/chart.ts'
import type { Posting } from '../../ledger/post.ts'

/**
 * Money that arrived on chain and bought computing power is sales revenue, in the asset it was paid in. The memo holds
 * only what the chain itself says, so that reading the chain again gives the same posting.
 */
export const purchasePosting = (payment: ConfirmedPayment): Posting => ({
  id: paymentPostingId(payment, 0),
  kind: 'purchase',
  legs: [
    {
      debit: platformAccount('custody', payment.asset),
      credit: platformAccount('salesRevenue', payment.asset),
      amount: payment.amount,
    },
  ],
  memo: { orderNo: payment.reference, payer: payment.payer, txHash: payment.txHash },
  occurredAt: payment.blockAt,
})
