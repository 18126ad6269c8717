import { DAY_MS, HOUR_MS } from '@candela/protocol/units'
import { array, assert, bigInt, property } from 'fast-check'
import { expect, test } from 'vitest'
import { freshPart, minWorth, leftOfFresh, shareOf } from './old-money.ts'

const now = new Date('2026-03-15T12:00:00Z')

test('old is the least of what was there, the newest movements first', () => {
  expect(minWorth(100n, [])).toBe(100n)
  // It came today.
  expect(minWorth(100n, [100n])).toBe(0n)
  // 40 were there, 60 came.
  expect(minWorth(100n, [60n])).toBe(40n)
  // 100 came, then 100 were given away: what is left was there all the time.
  expect(minWorth(100n, [-100n, 100n])).toBe(100n)
  // 100 were given away, then 100 came.
  expect(minWorth(100n, [100n, -100n])).toBe(0n)
  // More came than is left: the rest was withdrawn, and was old.
  expect(minWorth(30n, [60n])).toBe(0n)
})

test('whatever came in and went out, no more is old than what was there before all of it', () => {
  const flows = array(bigInt({ min: -100n, max: 100n }))
  assert(
    property(bigInt({ min: 0n, max: 1_000n }), flows, (available, moved) => {
      const before = available - moved.reduce((sum, flow) => sum + flow, 0n)
      const old = minWorth(available, moved)
      expect(old).toBeLessThanOrEqual(before > 0n ? before : 0n)
      expect(old).toBeLessThanOrEqual(available)
    }),
  )
})

test('old money is taken first, and the rest is rounded up', () => {
  expect(freshPart(10n, { worth: 10n, old: 10n })).toBe(0n)
  expect(freshPart(10n, { worth: 10n, old: 4n })).toBe(6n)
  expect(freshPart(10n, { worth: 3n, old: 2n })).toBe(4n)
  expect(freshPart(10n, { worth: 10n, old: 0n })).toBe(10n)
  expect(freshPart(10n, { worth: 0n, old: 0n })).toBe(0n)
})

test('the share of fresh money comes back evenly within 24 hours', () => {
  const share = shareOf(1_000n, 50)
  expect(share).toBe(500n)
  expect(leftOfFresh(share, undefined, now)).toBe(500n)
  const use = (used: bigint, hours: number) => ({ used, at: new Date(now.getTime() - hours * HOUR_MS) })
  expect(leftOfFresh(share, use(500n, 0), now)).toBe(0n)
  expect(leftOfFresh(share, use(500n, 12), now)).toBe(250n)
  expect(leftOfFresh(share, use(500n, 25), now)).toBe(500n)
  expect(leftOfFresh(share, use(700n, 12), now)).toBe(50n)
  expect(leftOfFresh(share, { used: 500n, at: new Date(now.getTime() + DAY_MS) }, now)).toBe(0n)
})
