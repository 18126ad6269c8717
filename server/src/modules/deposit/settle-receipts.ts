import type { ConfirmedPayment, SettlePayments } from '../../chain/credit.ts'
import type { Tx } from '../../db/open.ts'
import { decideReceipt, type Destination } from './decide-receipts.ts'
import { receiptPosting } from './postings.ts'

/**
 * Settles every confirmed payment that is not a purchase: deposits and native receipts, a day's revenue, and money that
 * found no use. Each ends on a balance, in the revenue pool or in suspense; none is refused.
 */
export const settleReceipts: SettlePayments = async (tx, payments) => {
  const members = await readMembers(tx, payments)
  return payments.map((payment) => {
    const destination = decideReceipt(payment, (address) => members.get(address))
    return {
      eventId: payment.eventId,
      outcome: outcomeOf(destination),
      postings: [receiptPosting(payment, destination)],
    }
  })
}

function outcomeOf({ kind }: Destination): 'balance' | 'revenue' | 'suspense' {
  return kind === 'deposit' || kind === 'unmatched' ? 'balance' : kind
}

/** Ids of the members among payers and customers, by address. */
async function readMembers(tx: Tx, payments: readonly ConfirmedPayment[]): Promise<ReadonlyMap<string, bigint>> {
  const addresses = new Set(payments.flatMap(({ payer, customer }) => [payer, customer]))
  if (addresses.size === 0) return new Map()
  const rows = await tx
    .selectFrom('member')
    .select(['id', 'address'])
    .where('address', 'in', [...addresses])
    .execute()
  return new Map(rows.map(({ id, address }) => [address, id]))
}
