import { expect, test } from 'vitest'
import { accountParts } from '../../../ledger/chart.ts'
import { purchasePosting, referralPosting } from './postings.ts'

test('a purchase moves the whole amount from custody to sales revenue, in the asset that was paid', () => {
  const payment = {
    eventId: 1n,
    txHash: `0x${'1'.repeat(64)}`,
    logIndex: 5,
    txPosition: 2,
    blockNumber: 9n,
    blockAt: new Date('2026-03-01T00:00:00Z'),
    action: 'buyPower',
    reference: '20260301-7K3M9QXTZC',
    revenueDay: null,
    asset: 'JU',
    amount: 7n,
    payer: '0xaa',
    customer: '0xbb',
  } as const
  const posting = purchasePosting(payment)
  expect(posting.legs.map(({ amount }) => amount)).toEqual([7n])
  expect(posting.legs.map(({ debit, credit }) => [accountParts(debit), accountParts(credit)])).toEqual([
    [
      { memberId: undefined, name: 'custody', asset: 'JU' },
      { memberId: undefined, name: 'salesRevenue', asset: 'JU' },
    ],
  ])
  expect(posting).toMatchObject({ kind: 'purchase', memo: { orderNo: '20260301-7K3M9QXTZC', payer: '0xaa' } })
  // A reorganisation moves the log to another place of another block: it is the same money.
  const moved = purchasePosting({ ...payment, logIndex: 6, blockNumber: 10n, eventId: 2n })
  expect(moved).toEqual(posting)
  expect(purchasePosting({ ...payment, txPosition: 3 }).id).not.toBe(posting.id)
})

test('a referral reward is 5 % of what was paid, out of sales revenue, to the inviter alone', () => {
  const payment = {
    eventId: 1n,
    txHash: `0x${'1'.repeat(64)}`,
    logIndex: 5,
    txPosition: 2,
    blockNumber: 9n,
    blockAt: new Date('2026-03-01T00:00:00Z'),
    action: 'buyPower',
    reference: '20260301-7K3M9QXTZC',
    revenueDay: null,
    asset: 'USDT',
    amount: 1_019n,
    payer: '0xaa',
    customer: '0xbb',
  } as const
  const reward = referralPosting(payment, 10_001n)
  expect(reward?.legs.map(({ debit, credit, amount }) => [accountParts(debit), accountParts(credit), amount])).toEqual([
    [
      { memberId: undefined, name: 'referralExpense', asset: 'USDT' },
      { memberId: 10_001n, name: 'memberAvailable', asset: 'USDT' },
      50n,
    ],
  ])
  expect(reward?.id).not.toBe(purchasePosting(payment).id)
  expect(referralPosting({ ...payment, amount: 19n }, 10_001n)).toBeNull()
})
