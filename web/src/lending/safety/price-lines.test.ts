import { expect, test } from 'vitest'
import { priceLines } from './price-lines.ts'

const at = (day: number, price: bigint, lowest = price, highest = price) => ({ at: day, price, lowest, highest })

test('prices and lines stand on one scale, the highest above, with a tenth to spare', () => {
  const lines = priceLines([at(0, 100n), at(1, 50n, 40n, 110n), at(4, 80n)], { price: 80n, safety: 60n, clearing: 10n })
  // From 10 to 110, and 11 to spare on each side.
  expect(lines.prices.map(({ x }) => x)).toEqual([0, 25, 100])
  expect(lines.prices.map(({ y }) => y)).toEqual([17.21, 58.19, 33.6])
  expect(lines).toMatchObject({ safety: 50, clearing: 90.98, now: 33.6 })
  expect(lines.range).toHaveLength(6)
  expect([lines.range[1], lines.range[4]]).toEqual([
    { x: 25, y: 9.01 },
    { x: 25, y: 66.39 },
  ])
})

test('a price that never moved is in the middle, and without a safety line there is none', () => {
  const lines = priceLines([at(0, 5n), at(1, 5n)], { price: 5n, safety: null, clearing: 5n })
  expect(lines).toMatchObject({ now: 50, clearing: 50, safety: null })
})

test('a price that has fallen through its line is still in the picture', () => {
  const { now, clearing } = priceLines([at(0, 9n)], { price: 1n, safety: null, clearing: 8n })
  expect(now).toBeGreaterThan(clearing)
  expect(now).toBeLessThan(100)
})
