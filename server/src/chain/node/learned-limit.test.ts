import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { learnedLimit } from './learned-limit.ts'

/** Uses a limit on something that bears so much. @returns the amounts asked for, refused ones as negative numbers */
function use(limit: ReturnType<typeof learnedLimit>, borne: number, times: number): number[] {
  return Array.from({ length: times }, () => {
    const amount = limit.current()
    if (amount > borne) limit.refused(amount)
    else limit.bore(amount)
    return amount > borne ? -amount : amount
  })
}

test('it doubles until something is refused, and then goes near that without going back to half', () => {
  const limit = learnedLimit({ first: 16, most: 2_000 })
  expect(use(limit, 100, 10)).toEqual([16, 32, 64, -128, 96, -112, -104, 96, 96, 96])
})

test('whatever is borne is found with few refusals, and what is set is never exceeded', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3_000 }), fc.integer({ min: 1, max: 100 }), (borne, first) => {
      const amounts = use(learnedLimit({ first, most: 2_000 }), borne, 100)
      const refused = amounts.filter((amount) => amount < 0).length
      expect(refused).toBeLessThanOrEqual(10)
      expect(amounts.at(-1)).toBeGreaterThanOrEqual(Math.floor((Math.min(borne, 2_000) * 7) / 8) || 1)
      expect(Math.max(...amounts.map(Math.abs))).toBeLessThanOrEqual(2_000)
    }),
  )
})

test('what is set is kept to, and at least one is asked for', () => {
  const limit = learnedLimit({ first: 10, most: 12 })
  expect(use(limit, 100, 3)).toEqual([10, 12, 12])
  const none = learnedLimit({ first: 4, most: 12 })
  expect(use(none, 0, 6)).toEqual([-4, -2, -1, -1, -1, -1])
  expect(use(none, 1, 4)).toEqual([1, 1, 1, 1])
})

test('it goes down when less is borne than before, and up again when more is', () => {
  const limit = learnedLimit({ first: 100, most: 100 })
  use(limit, 100, 10)
  expect(use(limit, 10, 20).at(-1)).toBeGreaterThanOrEqual(9)
  const after = use(limit, 100, 5_000)
  expect(after.filter((amount) => amount < 0)).toEqual([])
  expect(after.at(-1)).toBe(100)
})

test('a limit that stays is tried again rarely', () => {
  const limit = learnedLimit({ first: 100, most: 100 })
  const refused = use(limit, 20, 10_000).filter((amount) => amount < 0)
  expect(refused.length).toBeGreaterThan(10)
  expect(refused.length).toBeLessThan(200)
})
