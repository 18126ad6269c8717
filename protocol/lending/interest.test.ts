import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays } from '../calendar.ts'
import { PPM, WHOLE_UNIT } from '../units.ts'
import { dayInterest, interestDays, interestOf, splitInterest } from './interest.ts'
import { anyAmount, anyDay, anyRate } from './testing.ts'

test('10,000 USDT at 12 % cost 3.287671232876712329 USDT a day', () => {
  expect(dayInterest(10_000n * WHOLE_UNIT, 120_000n)).toBe(3_287671232876712329n)
  expect(dayInterest(0n, 120_000n)).toBe(0n)
  expect(dayInterest(10_000n, 0n)).toBe(0n)
  expect(() => dayInterest(-1n, 1n)).toThrow(RangeError)
})

test('the interest of a day is never below the exact value, and less than one base unit above it', () => {
  fc.assert(
    fc.property(anyAmount, anyRate, (principal, rate) => {
      const over = dayInterest(principal, rate) * PPM * 365n - principal * rate
      expect(over >= 0n && over < PPM * 365n).toBe(true)
    }),
  )
})

test('the interest of many days is the sum of its days, over the exact value by less than a base unit a day', () => {
  fc.assert(
    fc.property(anyAmount, anyRate, fc.integer({ min: 1, max: 400 }), (principal, rate, days) => {
      let sum = 0n
      for (let day = 0; day < days; day += 1) sum += dayInterest(principal, rate)
      expect(interestOf(principal, rate, days)).toBe(sum)
      const over = sum * PPM * 365n - principal * rate * BigInt(days)
      expect(over >= 0n && over < PPM * 365n * BigInt(days)).toBe(true)
    }),
  )
})

test('a debt in two parts costs at most one base unit a day more, and never less', () => {
  fc.assert(
    fc.property(anyAmount, anyAmount, anyRate, (one, other, rate) => {
      const more = dayInterest(one, rate) + dayInterest(other, rate) - dayInterest(one + other, rate)
      expect(more === 0n || more === 1n).toBe(true)
    }),
  )
})

test('interest days are the UTC days that began since the opening, at least one', () => {
  expect(interestDays('2026-02-28', '2026-02-28')).toBe(1)
  expect(interestDays('2026-02-28', '2026-03-01')).toBe(1)
  fc.assert(
    fc.property(anyDay, fc.integer({ min: 1, max: 400 }), (day, days) => {
      expect(interestDays(day, addDays(day, days))).toBe(days)
    }),
  )
})

test('the reserve gets of many small amounts what it gets of their sum, and nobody gets less than nothing', () => {
  const amounts = fc.array(fc.oneof(fc.bigInt({ min: 0n, max: 12n }), anyAmount), { maxLength: 40 })
  fc.assert(
    fc.property(amounts, fc.bigInt({ min: 0n, max: PPM }), (parts, share) => {
      const sum = { before: 0n, fund: 0n, reserve: 0n }
      for (const part of parts) {
        const { fund, reserve } = splitInterest(sum.before, part, share)
        expect(fund >= 0n && reserve >= 0n && fund + reserve === part).toBe(true)
        sum.before += part
        sum.fund += fund
        sum.reserve += reserve
      }
      expect(splitInterest(0n, sum.before, share)).toEqual({ fund: sum.fund, reserve: sum.reserve })
      const under = sum.before * share - sum.reserve * PPM
      expect(under >= 0n && under < PPM).toBe(true)
    }),
  )
})
