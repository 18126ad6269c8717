import { expect, test } from 'vitest'
import { nextReference, type Reference } from './reference.ts'

const since = new Date('2026-03-15T12:00:00Z')
const at = new Date('2026-03-15T13:00:00Z')
const halted: Reference = { price: 100n, since, haltedAt: since }

test.each([
  ['both where the push left them', 150n, 150n],
  ['the spot price alone back', 100n, 150n],
  ['the average alone back', 150n, 100n],
])('a halted price stays halted: %s', (_name, spot, average) => {
  expect(nextReference(halted, { at, spot, average, dayAverage: 100n })).toBe(halted)
})

test('a halted price resumes within 10 % of where it was, and its day begins anew', () => {
  expect(nextReference(halted, { at, spot: 110n, average: 90n, dayAverage: 100n })).toEqual({
    price: 100n,
    since: at,
    haltedAt: null,
  })
})
