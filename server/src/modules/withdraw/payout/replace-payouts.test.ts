import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { bumped } from '../../../chain/payer/offer.ts'

test('a replacement pays an eighth more, rounded up, or what the node names when that is more', () => {
  expect(bumped(80n, 0n, 1_000n)).toBe(90n)
  expect(bumped(81n, 0n, 1_000n)).toBe(92n)
  expect(bumped(80n, 90n, 1_000n)).toBe(90n)
  expect(bumped(80n, 91n, 1_000n)).toBe(91n)
})

test('it never pays more than the maximum, and there is none when an eighth more would', () => {
  expect(bumped(80n, 500n, 100n)).toBe(100n)
  expect(bumped(80n, 0n, 90n)).toBe(90n)
  expect(bumped(80n, 0n, 89n)).toBeNull()
  expect(bumped(80n, 500n, 89n)).toBeNull()
})

test('every replacement raises the price by an eighth at least, within the maximum', () => {
  const price = fc.bigInt({ min: 1n, max: 10n ** 15n })
  fc.assert(
    fc.property(price, price, price, (old, wanted, maxPrice) => {
      const next = bumped(old, wanted, maxPrice)
      if (next === null) return
      expect(8n * (next - old)).toBeGreaterThanOrEqual(old)
      expect(next).toBeLessThanOrEqual(maxPrice)
    }),
  )
})
