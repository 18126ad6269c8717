import { type ConfirmedPayment, paymentPostingId } from '../../chain/crediting/credit-payments.ts'
import { type AccountId, accountParts, memberAccount, platformAccount } from '../../ledger/chart.ts'
import type { Posting } from '../../ledger/post.ts'
import type { Destination } from './decide-receipts.ts'

/**
 * Money that arrived on chain, on its way to where it was decided to end. The memo holds only what the chain itself
 * says, so that reading the chain again gives the same posting.
 */
export const receiptPosting = (payment: ConfirmedPayment, destination: Destination): Posting => ({
  id: paymentPostingId(payment, 0),
  kind: destination.kind,
  legs: [
    {
      debit: platformAccount('custody', payment.asset),
      credit: creditAccount(payment, destination),
      amount: payment.amount,
    },
  ],
  memo: {
    action: payment.action,
    reference: payment.reference,
    payer: payment.payer,
    customer: payment.customer,
    txHash: payment.txHash,
  },
  occurredAt: payment.blockAt,
})

function creditAccount({ asset }: ConfirmedPayment, destination: Destination): AccountId {
  if ('memberId' in destination) return memberAccount(destination.memberId, 'memberAvailable', asset)
  return platformAccount(destination.kind === 'revenue' ? 'revenuePool' : 'suspense', asset)
}

/** Where a receipt went that was posted before; undefined for what is no posting of a receipt. */
export function destinationOf(posting: Posting | undefined): Destination | undefined {
  if (posting?.kind === 'revenue' || posting?.kind === 'suspense') return { kind: posting.kind }
  if (posting?.kind !== 'deposit' && posting?.kind !== 'unmatched') return undefined
  const [leg] = posting.legs
  const memberId = leg && accountParts(leg.credit).memberId
  return memberId === undefined ? undefined : { kind: posting.kind, memberId }
}
