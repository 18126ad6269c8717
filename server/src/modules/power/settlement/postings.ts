import { mulDiv } from '@candela/protocol/money/money'
import { type ConfirmedPayment, paymentPostingId } from '../../../chain/crediting/credit-payments.ts'
import { memberAccount, platformAccount } from '../../../ledger/chart.ts'
import type { Posting } from '../../../ledger/post.ts'

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

/** Hundredths of a percent of a purchase that the buyer's inviter is given. */
export const REFERRAL_BPS = 500n

/**
 * The reward of the member who invited the buyer: one level, out of the platform's sales revenue, in the asset that was paid.
 * Null when the purchase is too small to give a base unit.
 */
export function referralPosting(payment: ConfirmedPayment, inviterId: bigint): Posting | null {
  const amount = mulDiv(payment.amount, REFERRAL_BPS, 10_000n)
  if (amount === 0n) return null
  return {
    id: paymentPostingId(payment, 1),
    kind: 'referral',
    legs: [
      {
        debit: platformAccount('referralExpense', payment.asset),
        credit: memberAccount(inviterId, 'memberAvailable', payment.asset),
        amount,
      },
    ],
    memo: { orderNo: payment.reference, txHash: payment.txHash },
    occurredAt: payment.blockAt,
  }
}
