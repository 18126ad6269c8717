import { expect, test } from 'vitest'
import type { ConfirmedPayment } from '../../../chain/crediting/credit-payments.ts'
import type { OrderFacts } from './decide-purchases.ts'
import { purchaseNotice } from './notices.ts'
import { purchasePosting } from './postings.ts'

const now = new Date('2026-03-01T00:01:00Z')
const payment: ConfirmedPayment = {
  eventId: 1n,
  txHash: `0x${'1'.repeat(64)}`,
  logIndex: 5,
  txPosition: 2,
  blockNumber: 9n,
  blockAt: new Date('2026-03-01T00:00:00Z'),
  action: 'buyPower',
  reference: 'O1',
  revenueDay: null,
  asset: 'USDT',
  amount: 1_500_000_000_000_000_000n,
  payer: '0xaa',
  customer: '0xbb',
}
const order: OrderFacts = {
  id: 1n,
  orderNo: 'O1',
  memberId: 10_001n,
  owner: '0xaa',
  inviterId: null,
  planId: 1n,
  units: 3n,
  asset: 'USDT',
  payable: 2n,
  price: 1n,
  state: 'pending',
  isReserved: true,
  payBefore: now,
  watchUntil: now,
  termDays: 30,
}
/** The id of the posting of the payment: what one payment did is told once. */
const told = { memberId: 10_001n, source: purchasePosting(payment).id, at: now }

test('the owner of an order that was bought is told its units and term', () => {
  const term = { startsOn: '2026-03-02', endsOn: '2026-03-31' }
  expect(purchaseNotice({ payment, decision: { kind: 'active', order, term, unitsDelta: 0n } }, now)).toEqual({
    ...told,
    kind: 'orderActivated',
    params: { orderNo: 'O1', units: '3', startsOn: '2026-03-02', endsOn: '2026-03-31' },
  })
})

test.each([
  ['late', 'orderLate'],
  ['mismatch', 'orderMismatch'],
  ['soldOut', 'orderSoldOut'],
] as const)('of an order that ended %s, what was paid and by which transaction', (kind, notice) => {
  expect(purchaseNotice({ payment, decision: { kind, order, unitsDelta: 3n } }, now)).toEqual({
    ...told,
    kind: notice,
    params: { orderNo: 'O1', asset: 'USDT', amount: '1.5', txHash: `0x${'1'.repeat(64)}` },
  })
})

test('nobody is told of a payment that touched no order', () => {
  expect(purchaseNotice({ payment, decision: { kind: 'unmatched', reason: 'unknownOrder' } }, now)).toBeNull()
})
