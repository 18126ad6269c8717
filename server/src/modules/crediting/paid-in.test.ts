import { expect, test } from 'vitest'
import type { ConfirmedPayment, Disposition } from '../../chain/crediting/credit-payments.ts'
import { memberAccount, platformAccount } from '../../ledger/chart.ts'
import type { Posting } from '../../ledger/post.ts'
import { paidInBy } from './paid-in.ts'

const payer = `0x${'aa'.repeat(20)}`
const payment = { eventId: 1n, asset: 'JU', amount: 7n, payer } as ConfirmedPayment
const disposed = (outcome: Disposition['outcome'], credit: bigint): Disposition => ({
  eventId: 1n,
  outcome,
  postings: [{ legs: [{ debit: platformAccount('custody', 'JU'), credit, amount: 7n }] } as unknown as Posting],
})
const paidIn = (outcome: Disposition['outcome'], credit = platformAccount('salesRevenue', 'JU')) =>
  paidInBy([payment], [disposed(outcome, credit)])

const of = (member: bigint | string) => [{ member, asset: 'JU', amount: 7n }]

test('a purchase and a repayment are the payer’s, a deposit is whose balance it is on', () => {
  expect(paidIn('order')).toEqual(of(payer))
  expect(paidIn('loan')).toEqual(of(payer))
  expect(paidIn('balance', memberAccount(12n, 'memberAvailable', 'JU'))).toEqual(of(12n))
})

test('revenue, what nobody owns and what is paid out are nobody’s', () => {
  expect(paidIn('revenue')).toEqual([])
  expect(paidIn('suspense', platformAccount('suspense', 'JU'))).toEqual([])
  // The last leg gives held money back to its member in no way.
  expect(paidIn('withdrawal', memberAccount(12n, 'memberHeld', 'JU'))).toEqual([])
})
