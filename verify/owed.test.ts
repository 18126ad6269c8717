import { expect, test } from 'vitest'
import { owedBy, type Parts } from './owed.ts'

const none = { USDT: '0', HASH: '0', JU: '0' }
const parts = (changed: Partial<Parts>): Parts => ({
  day: '2026-11-22',
  ledgerSequence: '1',
  available: none,
  held: none,
  shares: '0',
  fund: { assets: '0', shares: '0' },
  prices: { JU: null, HASH: null },
  collateral: { JU: '0', HASH: '0' },
  debt: '0',
  paidLater: none,
  ...changed,
})
const whole = (amount: number) => `${amount}${'0'.repeat(18)}`

test('what a member has is owed to it, with what was paid later', () => {
  const all = {
    available: { ...none, USDT: '5' },
    held: { ...none, USDT: '6', JU: '7' },
    paidLater: { ...none, HASH: '8' },
  }
  expect(owedBy(parts(all))).toEqual([11n, 8n, 7n])
})

test('shares are rounded down, and after a deficit nothing is added to the fund', () => {
  expect(owedBy(parts({ shares: '10', fund: { assets: '3', shares: '20' } }))).toEqual([1n, 0n, 0n])
  expect(owedBy(parts({ shares: '3', fund: { assets: '1000000000', shares: '0' } }))).toEqual([6n, 0n, 0n])
})

test('shares count in kind where a pool is named, and a debt takes shares after USDT and before collateral', () => {
  const lender = parts({
    shares: whole(20),
    fund: { assets: whole(200), shares: whole(100) },
    pool: { USDT: whole(50), HASH: '0', JU: whole(30), shares: whole(90) },
    collateral: { JU: whole(10), HASH: '0' },
    prices: { JU: whole(2), HASH: null },
  })
  const [usdt, hash, ju] = owedBy(lender)
  expect([usdt, hash, ju]).toEqual([
    (50n * 10n ** 18n * 20n) / 90n,
    0n,
    10n * 10n ** 18n + (30n * 10n ** 18n * 20n) / 90n,
  ])
  // 20 shares are worth 40 USDT, to a few base units: half of them for 20, all of them and 5 JU for 50.
  const half = owedBy({ ...lender, debt: whole(20) })
  expect(half[0] - (50n * 10n ** 18n * 10n) / 90n).toBeLessThan(10n ** 10n)
  expect(half[0] - (50n * 10n ** 18n * 10n) / 90n).toBeGreaterThan(-(10n ** 10n))
  const all = owedBy({ ...lender, debt: whole(50) })
  expect([all[0], all[1], (all[2] + 10n ** 10n) / 10n ** 18n]).toEqual([0n, 0n, 5n])
})

test('a debt takes USDT, then JU, then HASH, and nothing of what has no price', () => {
  const borrower = parts({
    available: { ...none, USDT: whole(100) },
    collateral: { JU: whole(10), HASH: whole(40) },
    prices: { JU: whole(2), HASH: `5${'0'.repeat(17)}` },
  })
  const owed = (debt: number, changed: Partial<Parts> = {}) =>
    owedBy({ ...borrower, debt: whole(debt), ...changed }).map((amount) => amount / 10n ** 18n)
  expect(owed(60)).toEqual([40n, 40n, 10n])
  expect(owed(110)).toEqual([0n, 40n, 5n])
  expect(owed(130)).toEqual([0n, 20n, 0n])
  expect(owed(900)).toEqual([0n, 0n, 0n])
  expect(owed(105, { prices: { JU: null, HASH: borrower.prices.HASH } })).toEqual([0n, 30n, 10n])
})
