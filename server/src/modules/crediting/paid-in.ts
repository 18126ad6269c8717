import type { ConfirmedPayment, Disposition } from '../../chain/crediting/credit-payments.ts'
import { must } from '../../kernel/assert.ts'
import { accountParts } from '../../ledger/chart.ts'
import type { PaidIn } from '../member/note-paid-in.ts'

/** For whom money came in: whose balance it is on, or who has bought or repaid something by it. */
export function paidInBy(payments: readonly ConfirmedPayment[], dispositions: readonly Disposition[]): PaidIn[] {
  const byId = new Map(payments.map((payment) => [payment.eventId, payment]))
  return dispositions.flatMap(({ eventId, outcome, postings }): PaidIn[] => {
    const { asset, amount, payer } = must(byId.get(eventId), 'a disposition of these payments')
    if (outcome === 'order' || outcome === 'loan') return [{ member: payer, asset, amount }]
    if (outcome !== 'balance') return []
    const [credited] = postings.flatMap(({ legs }) => legs.flatMap(({ credit }) => accountParts(credit).memberId ?? []))
    return credited === undefined ? [] : [{ member: credited, asset, amount }]
  })
}
