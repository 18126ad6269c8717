import { subscriptionOf, sharesToRedeem, worthOf } from '@candela/protocol/fund/fund'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { expect, test } from 'vitest'
import type { Bill } from './fund-types.ts'
import { recomputeBill } from './recompute-bill.ts'

const before = { assets: 1_000_123_456_789n, shares: 999_000_000_000n }
const stateData = ({ assets, shares }: { assets: bigint; shares: bigint }) => ({
  assets: fromBaseUnits(assets),
  shares: fromBaseUnits(shares),
})
const bill = (part: Partial<Bill>): Bill => ({
  id: 'bill',
  type: 'earnings',
  amount: '0',
  profit: '0',
  shares: '0',
  before: stateData(before),
  after: stateData(before),
  day: null,
  at: '2026-11-22T00:00:00.000Z',
  ...part,
})

const shares = 123_456_789n
const later = { ...before, assets: before.assets + 777_777n }
const gain = worthOf(shares, later) - worthOf(shares, before)
const earned = bill({ shares: fromBaseUnits(shares), after: stateData(later), profit: fromBaseUnits(gain) })

test('what a day earned is what the shares are worth more', () => {
  expect(recomputeBill(earned)).toMatchObject({ profit: gain, agrees: true })
  expect(gain).toBeGreaterThan(0n)
})

test('a deficit is a negative profit', () => {
  const lost = bill({
    type: 'deficit',
    shares: fromBaseUnits(shares),
    before: stateData(later),
    after: stateData(before),
    profit: fromBaseUnits(-gain),
  })
  expect(recomputeBill(lost)).toMatchObject({ profit: -gain, agrees: true })
})

test('a profit that is off by one base unit is noticed', () => {
  const { agrees, profit } = recomputeBill({ ...earned, profit: fromBaseUnits(gain + 1n) })
  expect({ agrees, profit }).toEqual({ agrees: false, profit: gain })
})

/** A move in, as the server records it. */
function moveIn(amount: bigint, pending: bigint): Bill {
  const subscription = subscriptionOf(amount, before, pending)
  const after = {
    assets: before.assets + amount - subscription.equalisation,
    shares: before.shares + subscription.shares,
  }
  return bill({
    type: 'in',
    amount: fromBaseUnits(amount),
    shares: fromBaseUnits(subscription.shares),
    after: stateData(after),
  })
}

function moveOut(amount: bigint, taken = sharesToRedeem(amount, before)): Bill {
  const after = { assets: before.assets - amount, shares: before.shares - taken }
  return bill({ type: 'out', amount: fromBaseUnits(amount), shares: fromBaseUnits(taken), after: stateData(after) })
}

test('moves agree, with and without interest of the running day, and everything at its worth', () => {
  for (const move of [moveIn(5_000_000n, 0n), moveIn(5_000_001n, 9_999n), moveOut(7_654_321n)])
    expect(recomputeBill(move)).toMatchObject({ profit: 0n, agrees: true })
  expect(recomputeBill(moveOut(worthOf(shares, before), shares)).agrees).toBe(true)
})

test('a move that took a share too many is noticed', () => {
  expect(recomputeBill(moveOut(7_654_321n, sharesToRedeem(7_654_321n, before) + 2n)).agrees).toBe(false)
  const right = moveIn(5_000_000n, 0n)
  const after = { ...right.after, assets: fromBaseUnits(before.assets + 5_000_010n) }
  expect(recomputeBill({ ...right, after }).agrees).toBe(false)
})
