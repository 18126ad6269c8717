import { expect, test } from 'vitest'
import { hasSettled } from './settled-orders.ts'

type State = Parameters<typeof hasSettled>[0][number]['state']
const orders = (...states: State[]) => states.map((state, index) => ({ orderNo: String(index), state }))

test.each([
  ['confirming', 'active', true],
  ['confirming', 'mismatch', true],
  ['pending', 'active', true],
  ['pending', 'confirming', false],
  ['pending', 'cancelled', false],
  // A block has disappeared.
  ['confirming', 'pending', false],
  ['confirming', 'confirming', false],
  ['active', 'expired', false],
] as const)('an order that was %s and is %s', (before, now, settled) => {
  expect(hasSettled(orders(before), orders(now))).toBe(settled)
  expect(hasSettled(orders('active', before), orders('active', now))).toBe(settled)
})

test('an order that is seen for the first time has not changed', () => {
  expect(hasSettled([], orders('active'))).toBe(false)
})
