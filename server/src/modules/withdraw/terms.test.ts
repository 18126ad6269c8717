import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Settings, settingTable } from '../../db/settings.ts'
import { amountAt, approvalsFor, leftOf, limitsOf, periodsOf, tariffOf, worthAt } from './terms.ts'

const defaults = Object.fromEntries(
  Object.entries(settingTable).map(([key, setting]) => [key, setting.default]),
) as Settings
const WHOLE = 1_000_000_000_000_000_000n

describe('tariff', () => {
  test('is set for each asset, in millionths of it', () => {
    const settings = {
      ...defaults,
      withdrawFeeMicroJu: 1,
      withdrawMinMicroJu: 4,
      withdrawFeeMicroUsdt: 2,
      withdrawMinMicroUsdt: 5,
      withdrawFeeMicroHash: 3,
      withdrawMinMicroHash: 6,
    }
    const micro = 1_000_000_000_000n
    expect(tariffOf(settings, 'JU')).toEqual({ fee: 1n * micro, minimum: 4n * micro })
    expect(tariffOf(settings, 'USDT')).toEqual({ fee: 2n * micro, minimum: 5n * micro })
    expect(tariffOf(settings, 'HASH')).toEqual({ fee: 3n * micro, minimum: 6n * micro })
  })

  test('always leaves something to be received', () => {
    const setting = fc.integer({ min: 0, max: 1e15 })
    fc.assert(
      fc.property(setting, setting, (withdrawFeeMicroJu, withdrawMinMicroJu) => {
        const { fee, minimum } = tariffOf({ ...defaults, withdrawFeeMicroJu, withdrawMinMicroJu }, 'JU')
        expect(minimum).toBeGreaterThan(fee)
      }),
    )
    const equal = tariffOf({ ...defaults, withdrawFeeMicroJu: 1, withdrawMinMicroJu: 1 }, 'JU')
    expect(equal.minimum).toBe(1_000_000_000_001n)
  })
})

describe('limits', () => {
  test('are set in whole USDT', () => {
    const settings = {
      ...defaults,
      withdrawDayUsdt: 1,
      withdrawMonthUsdt: 2,
      withdrawReviewUsdt: 3,
      withdrawTwoUsdt: 4,
    }
    expect(limitsOf(settings)).toEqual({ day: WHOLE, month: 2n * WHOLE, review: 3n * WHOLE, two: 4n * WHOLE })
  })

  test('what is left of one is never below zero', () => {
    expect(leftOf({ used: 3n, limit: 10n })).toBe(7n)
    expect(leftOf({ used: 10n, limit: 10n })).toBe(0n)
    expect(leftOf({ used: 11n, limit: 10n })).toBe(0n)
  })

  test('the amount that a worth allows is never worth more than it, and one base unit more always is', () => {
    const worth = fc.bigInt({ min: 0n, max: 10n ** 30n })
    const price = fc.bigInt({ min: 1n, max: 10n ** 24n })
    fc.assert(
      fc.property(worth, price, (limit, rate) => {
        const amount = amountAt(limit, rate)
        expect(worthAt(amount, rate)).toBeLessThanOrEqual(limit)
        expect(worthAt(amount + 1n, rate)).toBeGreaterThan(limit)
      }),
    )
  })

  test('a worth is rounded up, an amount down', () => {
    expect(worthAt(1n, 1n)).toBe(1n)
    expect(worthAt(3n * WHOLE, 2n * WHOLE)).toBe(6n * WHOLE)
    expect(amountAt(2n, 3n * WHOLE)).toBe(0n)
    expect(amountAt(7n, 2n * WHOLE)).toBe(3n)
  })
})

const noneUnseen = { byNobody: 0n, byLessThanTwo: 0n }

test('approvals: none up to the first limit unless flagged, one above it, two above the second', () => {
  const limits = { review: 10n, two: 20n }
  const approvals = (isReviewed: boolean) =>
    [10n, 11n, 20n, 21n].map((worth) => approvalsFor(worth, { isReviewed, unseen: noneUnseen }, limits))
  expect(approvals(false)).toEqual([0, 1, 1, 2])
  expect(approvals(true)).toEqual([1, 1, 1, 2])
  expect(approvalsFor(21n, { isReviewed: false, unseen: noneUnseen }, { review: 30n, two: 20n })).toBe(2)
})

test('what nobody has looked at counts with it, and what one operator has looked at counts to where two have to', () => {
  const limits = { review: 10n, two: 20n }
  const approvals = (byNobody: bigint, byLessThanTwo: bigint) =>
    [1n, 4n, 5n].map((worth) => approvalsFor(worth, { isReviewed: false, unseen: { byNobody, byLessThanTwo } }, limits))
  expect(approvals(6n, 6n)).toEqual([0, 0, 1])
  expect(approvals(0n, 16n)).toEqual([0, 0, 2])
  expect(approvals(10n, 16n)).toEqual([1, 1, 2])
})

test('day and month begin at midnight UTC', () => {
  expect(periodsOf(new Date('2026-02-28T23:59:59.999Z'))).toEqual({
    day: new Date('2026-02-28T00:00:00Z'),
    month: new Date('2026-02-01T00:00:00Z'),
  })
  const first = new Date('2027-01-01T00:00:00Z')
  expect(periodsOf(first)).toEqual({ day: first, month: first })
})
