import * as fc from 'fast-check'
import { toBaseUnits } from '@candela/protocol/money/money'
import { describe, expect, test } from 'vitest'
import {
  formatAmount,
  formatCost,
  formatCountdown,
  formatDay,
  formatDays,
  formatDuration,
  formatPercent,
  formatPrice,
  shorten,
} from './format.ts'

describe('amounts', () => {
  test.each([
    ['0', 2, '0'],
    ['1234567.891', 2, '1,234,567.89'],
    ['999.999', 2, '999.99'],
    ['1000', 4, '1,000'],
    ['12.500', 4, '12.5'],
    ['0.001', 2, '<0.01'],
    ['-0.001', 2, '0'],
    ['-1234.56', 1, '−1,234.5'],
    ['0.1', 18, '0.1'],
  ])('%s with %i digits is %s', (amount, digits, shown) => {
    expect(formatAmount(amount, digits)).toBe(shown)
  })

  test('base units and their decimal text are shown alike', () => {
    expect(formatAmount(toBaseUnits('2741.0875'), 2, 2)).toBe('2,741.08')
    expect(formatAmount(0n, 2, 2)).toBe('0.00')
  })

  test('nobody is shown more than they have, nor less by a whole last digit', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.integer({ min: 1, max: 18 }), (amount, digits) => {
        const shown = formatAmount(amount, digits)
        const unit = 10n ** BigInt(18 - digits)
        if (shown.startsWith('<')) return amount > 0n && amount < unit
        const back = toBaseUnits(shown.replaceAll(',', ''))
        return back <= amount && amount - back < unit
      }),
    )
  })
})

test.each([
  ['8.1472305518', '8.1472'],
  ['0.000123456', '0.0001234'],
  ['20', '20.00'],
  ['12345.678', '12,345.67'],
])('the price %s is %s', (price, shown) => {
  expect(formatPrice(price)).toBe(shown)
})

test.each([
  ['0.05', '5%'],
  ['0.0525', '5.25%'],
  ['1', '100%'],
  ['1.00349', '100.34%'],
  ['-0.5', '−50%'],
  ['0.1', '10%'],
])('the fraction %s is %s', (fraction, shown) => {
  expect(formatPercent(fraction)).toBe(shown)
})

test.each([
  [900_000, '15:00'],
  [899_001, '15:00'],
  [59_000, '0:59'],
  [1, '0:01'],
  [0, '0:00'],
  [-5, '0:00'],
  [3_729_000, '1:02:09'],
])('%i ms left reads %s', (leftMs, shown) => {
  expect(formatCountdown(leftMs)).toBe(shown)
})

test.each([
  [5 * 60_000, ['5 minutes', '5 分鐘', '5分钟']],
  [59.7 * 60_000, ['1 hour', '1 小時', '1小时']],
  [90 * 60_000, ['1.5 hours', '1.5 小時', '1.5小时']],
  [23.2 * 3_600_000, ['23 hours', '23 小時', '23小时']],
  [86_399_000, ['1 day', '1 天', '1天']],
  [36 * 3_600_000, ['1.5 days', '1.5 天', '1.5天']],
  [400.4 * 86_400_000, ['400 days', '400 天', '400天']],
])('%i ms are about %s', (ms, shown) => {
  expect(['en', 'zh-Hant', 'zh-Hans'].map((tag) => formatDuration(ms, tag))).toEqual(shown)
})

test('addresses keep six and four characters', () => {
  expect(shorten('0x70997970c51812dc3a010c7d01b50e0d17dc79c8')).toBe('0x7099…79c8')
  expect(shorten('0x7099…79c8')).toBe('0x7099…79c8')
})

test('days of the books are UTC days, with the plural of the language', () => {
  expect(formatDay('2026-11-21', 'en')).toBe('Nov 21, 2026')
  expect(formatDay('2026-11-21', 'zh-Hant')).toBe('2026年11月21日')
  expect([formatDays(1, 'en'), formatDays(90, 'en')]).toEqual(['1 day', '90 days'])
})

test('a cost is cut upwards: nobody pays more than was said', () => {
  expect(formatCost('0.913191', 4)).toBe('0.9132')
  expect(formatCost('124.3631', 4)).toBe('124.3631')
  expect(formatCost(1n, 4)).toBe('0.0001')
  expect(formatCost('1999.99999', 4)).toBe('2,000')
})
