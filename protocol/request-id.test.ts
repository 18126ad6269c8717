import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  ageOfRequestId,
  REQUEST_ID,
  REQUEST_ID_AHEAD_MS,
  REQUEST_ID_LIFE_MS,
  REQUEST_ID_RANDOM_BYTES,
  requestIdOf,
  timeOfRequestId,
} from './request-id.ts'

const NOW = Date.parse('2026-11-26T12:00:00.000Z')
const random = fc.uint8Array({ minLength: REQUEST_ID_RANDOM_BYTES, maxLength: REQUEST_ID_RANDOM_BYTES })
const idAt = (time: number) => requestIdOf(time, new Uint8Array(REQUEST_ID_RANDOM_BYTES))
const hyphened = (id: string) => id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

test('an id is a UUID of version 7 with its time, and has 74 bits of what is random', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 48 - 1 }), random, (time, bytes) => {
      const id = requestIdOf(time, bytes)
      for (const spelling of [id, hyphened(id)]) {
        expect(spelling).toMatch(REQUEST_ID)
        expect(timeOfRequestId(spelling)).toBe(time)
      }
    }),
  )
  const bits = Array.from({ length: 80 }, (_, bit) => {
    const bytes = new Uint8Array(REQUEST_ID_RANDOM_BYTES)
    bytes[bit >> 3] = 1 << (bit & 7)
    return requestIdOf(NOW, bytes)
  })
  expect(new Set(bits).size - 1).toBe(74)
})

test.each([
  '',
  'request-1',
  idAt(NOW).toUpperCase(),
  idAt(NOW).slice(1),
  `${idAt(NOW)}0`,
  hyphened(idAt(NOW)).replace('-', ''),
  // Versions 4 and 8, and another variant.
  `${idAt(NOW).slice(0, 12)}4${idAt(NOW).slice(13)}`,
  `${idAt(NOW).slice(0, 12)}8${idAt(NOW).slice(13)}`,
  `${idAt(NOW).slice(0, 16)}c${idAt(NOW).slice(17)}`,
])('"%s" is none', (text) => {
  expect(text).not.toMatch(REQUEST_ID)
  expect(timeOfRequestId(text)).toBeNaN()
  expect(ageOfRequestId(text, NOW)).toBe('tooOld')
})

describe('an id is current', () => {
  test.each([
    ['made now', 0, 'current'],
    ['made as long ago as it lives', -REQUEST_ID_LIFE_MS, 'current'],
    ['made longer ago', -REQUEST_ID_LIFE_MS - 1, 'tooOld'],
    ['as far ahead as clocks may differ', REQUEST_ID_AHEAD_MS, 'current'],
    ['further ahead', REQUEST_ID_AHEAD_MS + 1, 'ahead'],
  ] as const)('%s (%i ms): %s', (_, after, age) => {
    expect(ageOfRequestId(idAt(NOW + after), NOW)).toBe(age)
  })
})
