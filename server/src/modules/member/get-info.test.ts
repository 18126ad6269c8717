import { expect, test } from 'vitest'
import { totalInUsdt } from './get-info.ts'

const WHOLE = 10n ** 18n
const nothing = { available: 0n, held: 0n }
const prices = { JU: 8n * WHOLE, USDT: WHOLE, HASH: WHOLE / 2n }

test('the total counts what is available and what is held, at the average prices', () => {
  const balances = {
    JU: { available: 2n * WHOLE, held: WHOLE },
    USDT: { available: 5n * WHOLE, held: 0n },
    HASH: { available: 0n, held: 4n * WHOLE },
  }
  expect(totalInUsdt(balances, prices)).toBe(31n * WHOLE)
})

test('a missing price makes the total unknown only where there is something to price', () => {
  const withoutHash = { ...prices, HASH: null }
  const balances = { JU: { available: WHOLE, held: 0n }, USDT: nothing, HASH: nothing }
  expect(totalInUsdt(balances, withoutHash)).toBe(8n * WHOLE)
  expect(totalInUsdt({ ...balances, HASH: { available: 1n, held: 0n } }, withoutHash)).toBeNull()
})

test('fractions of a base unit are dropped per asset, never invented', () => {
  const balances = { JU: nothing, USDT: nothing, HASH: { available: 3n, held: 0n } }
  expect(totalInUsdt(balances, prices)).toBe(1n)
  expect(totalInUsdt({ JU: nothing, USDT: nothing, HASH: nothing }, prices)).toBe(0n)
})
