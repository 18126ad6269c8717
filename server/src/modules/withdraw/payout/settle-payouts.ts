import type { ConfirmedPayment, SettlePayments } from '../../../chain/crediting/credit-payments.ts'
import { fromBaseUnits } from '@candela/protocol/money/money'
import type { Notice } from '../../notice/notify.ts'
import { anyOf } from '../../../db/any-of.ts'
import type { Tx } from '../../../db/open.ts'
import { assert, must } from '../../../kernel/assert.ts'
import { notify } from '../../notice/notify.ts'
import { changeState, postedOf, type WithdrawalRow } from '../change-state.ts'
import { payoutPosting } from '../postings.ts'

/**
 * Ends the withdrawals that confirmed payouts have paid: what was held is with its owner, the fee is the platform's.
 * @throws for a payout that is not exactly one of ours: somebody else has the payer's key, or our books are not the ones
 * that it was paid from. It is set aside, stays in the list of payments that could not be settled, and makes the books differ from the
 * chain, which pauses withdrawals.
 */
export const settlePayouts: SettlePayments = async (tx, payments, now) => {
  const rows = await lockPaid(tx, payments)
  const dispositions = []
  for (const payment of payments) {
    const row = must(rows.get(payment.reference), `${wordsOf(payment)} is no withdrawal of ours`)
    assertPaid(payment, row)
    // Done already when a reorganisation deeper than the confirmations let another of its transactions count.
    if (row.state !== 'done') await changeState(tx, row, 'done', { txHash: payment.txHash }, now)
    rows.set(payment.reference, { ...row, state: 'done' })
    const postings = [payoutPosting(postedOf(row), payment.blockAt)]
    dispositions.push({ eventId: payment.eventId, outcome: 'withdrawal' as const, postings })
  }
  await notify(
    tx,
    ...payments.map((payment) => doneNotice(payment, must(rows.get(payment.reference), 'was read'), now)),
  )
  return dispositions
}

const doneNotice = ({ txHash, asset, amount }: ConfirmedPayment, row: WithdrawalRow, now: Date): Notice => ({
  kind: 'withdrawalDone',
  params: { withdrawalNo: row.withdrawal_no, asset, amount: fromBaseUnits(amount), txHash },
  memberId: row.member_id,
  source: `withdrawal:${row.withdrawal_no}:done`,
  at: now,
})

async function lockPaid(tx: Tx, payments: readonly ConfirmedPayment[]): Promise<Map<string, WithdrawalRow>> {
  if (payments.length === 0) return new Map()
  const ids = payments.map(({ reference }) => reference)
  const rows = await tx
    .selectFrom('withdrawal')
    .selectAll()
    .where('payout_id', '=', anyOf(ids))
    .orderBy('id')
    .forUpdate()
    .execute()
  return new Map(rows.map((row) => [row.payout_id, row]))
}

function assertPaid(payment: ConfirmedPayment, row: WithdrawalRow): void {
  const { asset, amount, customer } = payment
  const exact = asset === row.asset && amount === row.payout_amount && customer === row.to_address
  assert(exact, `${wordsOf(payment)} differs from withdrawal ${row.withdrawal_no}`)
  const expected = row.state === 'sending' || row.state === 'queued' || row.state === 'done'
  assert(expected, `${wordsOf(payment)} was paid although withdrawal ${row.withdrawal_no} is ${row.state}`)
}

const wordsOf = ({ reference, asset, amount, customer }: ConfirmedPayment): string =>
  `the payout ${reference} of ${amount} base units of ${asset} to ${customer}`
