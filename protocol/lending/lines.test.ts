import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { PPM, WHOLE_UNIT } from '../units.ts'
import {
  collateralFor,
  collateralValue,
  fallTo,
  maxDebt,
  mortgageRate,
  priceAtLine,
  reaches,
  releasable,
  safetyStatus,
} from './lines.ts'
import { anyAmount, anyPrice } from './testing.ts'

const anyLine = fc.bigInt({ min: 1n, max: 999_999n })
const secured = fc.record({ debt: anyAmount, collateral: anyAmount })
const lines = { safety_ppm: 700_000n, clearing_ppm: 800_000n }

test('500 USDT against 1,000 JU at 1 USDT are 50 %: warning at 0.714285…, liquidation at 0.625', () => {
  const loan = { debt: 500n * WHOLE_UNIT, collateral: 1_000n * WHOLE_UNIT }
  expect(mortgageRate(loan, WHOLE_UNIT)).toBe(500_000n)
  expect(priceAtLine(loan, 700_000n)).toBe(714285714285714285n)
  expect(priceAtLine(loan, 800_000n)).toBe(625n * 10n ** 15n)
  expect(safetyStatus(loan, WHOLE_UNIT, lines)).toBe('safe')
  expect(safetyStatus(loan, 714285714285714286n, lines)).toBe('safe')
  expect(safetyStatus(loan, 714285714285714285n, lines)).toBe('warning')
  expect(safetyStatus(loan, 625n * 10n ** 15n, lines)).toBe('liquidating')
})

test('a price at a line is exactly the border: reached at it and below, not above', () => {
  fc.assert(
    fc.property(secured, anyLine, anyPrice, (loan, line, price) => {
      const border = priceAtLine(loan, line)
      if (border === null) throw new Error('there is collateral')
      expect(reaches(loan, border, line)).toBe(true)
      expect(reaches(loan, border + 1n, line)).toBe(false)
      expect(reaches(loan, price, line)).toBe(price <= border)
    }),
  )
})

test('the mortgage rate that is shown is at a line exactly when the status says so', () => {
  // Near the border, where a rounding would show.
  const nearby = fc.tuple(secured, fc.bigInt({ min: -2n, max: 2n }), fc.constantFrom(700_000n, 800_000n))
  fc.assert(
    fc.property(nearby, ([loan, off, line]) => {
      const price = (priceAtLine(loan, line) ?? 0n) + off
      fc.pre(price > 0n)
      const rate = mortgageRate(loan, price)
      if (rate === null) throw new Error('there is collateral')
      const expected = rate >= lines.clearing_ppm ? 'liquidating' : rate >= lines.safety_ppm ? 'warning' : 'safe'
      expect(safetyStatus(loan, price, lines)).toBe(expected)
    }),
    { examples: [[[{ debt: 1_399_999n, collateral: 2_000_000n }, 0n, 700_000n]]] },
  )
  const almost = { debt: 7n * 10n ** 20n - 1n, collateral: 1_000n * WHOLE_UNIT }
  expect([mortgageRate(almost, WHOLE_UNIT), safetyStatus(almost, WHOLE_UNIT, lines)]).toEqual([699_999n, 'safe'])
})

test('without a debt there is no rate, and a debt without collateral is beyond every line', () => {
  expect(mortgageRate({ debt: 0n, collateral: 0n }, WHOLE_UNIT)).toBe(0n)
  expect(mortgageRate({ debt: 1n, collateral: 0n }, WHOLE_UNIT)).toBeNull()
  expect(safetyStatus({ debt: 0n, collateral: 0n }, WHOLE_UNIT, lines)).toBe('safe')
  expect(safetyStatus({ debt: 1n, collateral: 0n }, WHOLE_UNIT, lines)).toBe('liquidating')
  expect(priceAtLine({ debt: 1n, collateral: 0n }, 1n)).toBeNull()
})

/** debt ÷ (collateral × price) ≤ line, without rounding. */
const isWithin = (debt: bigint, collateral: bigint, price: bigint, line: bigint): boolean =>
  debt * PPM * WHOLE_UNIT <= line * collateral * price

test('what may be owed is the most within the initial rate, and the collateral for a debt the least', () => {
  fc.assert(
    fc.property(secured, anyPrice, anyLine, ({ debt, collateral }, price, line) => {
      const most = maxDebt(collateral, price, line)
      expect(isWithin(most, collateral, price, line)).toBe(true)
      expect(isWithin(most + 1n, collateral, price, line)).toBe(false)
      const needed = collateralFor(debt, price, line)
      expect(isWithin(debt, needed, price, line)).toBe(true)
      expect(isWithin(debt, needed - 1n, price, line)).toBe(false)
      expect(maxDebt(needed, price, line) >= debt).toBe(true)
    }),
  )
})

test('what is released leaves the rate at the initial rate or below it, and one base unit more would not', () => {
  fc.assert(
    fc.property(secured, anyPrice, anyLine, (loan, price, line) => {
      const free = releasable(loan, price, line)
      expect(free >= 0n && free <= loan.collateral).toBe(true)
      const after = loan.collateral - free
      if (free > 0n) expect(isWithin(loan.debt, after, price, line)).toBe(true)
      expect(isWithin(loan.debt, after - 1n, price, line)).toBe(false)
    }),
  )
  expect(releasable({ debt: 0n, collateral: 7n }, WHOLE_UNIT, 500_000n)).toBe(7n)
})

test('a price that falls as far as is said is not below its line yet', () => {
  fc.assert(
    fc.property(anyPrice, anyPrice, (price, line) => {
      const fall = fallTo(price, line)
      expect(fall >= 0n && fall < PPM).toBe(true)
      if (price > line) {
        expect(price * (PPM - fall) >= line * PPM).toBe(true)
        expect(price * (PPM - fall - 1n) < line * PPM).toBe(true)
      } else expect(fall).toBe(0n)
    }),
  )
})

test('a value is rounded down by less than a base unit', () => {
  fc.assert(
    fc.property(anyAmount, anyPrice, (amount, price) => {
      const under = amount * price - collateralValue(amount, price) * WHOLE_UNIT
      expect(under >= 0n && under < WHOLE_UNIT).toBe(true)
    }),
  )
})
