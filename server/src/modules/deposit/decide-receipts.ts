import type { ConfirmedPayment } from '../../chain/crediting/credit-payments.ts'

/** Where money that buys nothing ends; `kind` is also the ledger's word for the posting. */
export type Destination =
  /** Paid in on purpose: on the balance of the member it is for. */
  | { kind: 'deposit'; memberId: bigint }
  /** Meant for something that does not take it: on the balance of its sender. */
  | { kind: 'unmatched'; memberId: bigint }
  /** The output of a day, waiting for that day's close. */
  | { kind: 'revenue' }
  /** We do not know the sender: kept for the operator to find its owner. */
  | { kind: 'suspense' }

/**
 * Decides about one receipt. Pure and total: every payment has a destination.
 *
 * A deposit goes to the member that the payer names, else to the payer; everything else that finds no use goes back to
 * the payer, who is the only one proven to have had the money.
 */
export function decideReceipt(
  payment: Pick<ConfirmedPayment, 'action' | 'revenueDay' | 'payer' | 'customer'>,
  memberOf: (address: string) => bigint | undefined,
): Destination {
  if (payment.revenueDay !== null) return { kind: 'revenue' }
  const payer = memberOf(payment.payer)
  if (payment.action === 'deposit' || payment.action === 'native' || payment.action === 'transfer') {
    const memberId = memberOf(payment.customer) ?? payer
    return memberId === undefined ? { kind: 'suspense' } : { kind: 'deposit', memberId }
  }
  return payer === undefined ? { kind: 'suspense' } : { kind: 'unmatched', memberId: payer }
}
