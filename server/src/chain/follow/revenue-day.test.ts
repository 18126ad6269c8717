import { anyText } from '@candela/protocol/testing-any-text'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, isDay } from '@candela/protocol/calendar'
import { revenueDayOf } from './revenue-day.ts'

const blockAt = new Date('2026-03-01T23:59:59Z')
const revenue = { action: 'revenue', asset: 'HASH' } as const

test('HASH for a day near the block’s own is that day’s revenue', () => {
  for (const days of [-31, -1, 0, 1]) {
    const reference = addDays('2026-03-01', days)
    expect(revenueDayOf({ ...revenue, reference }, blockAt)).toBe(reference)
  }
})

test.each([
  '2026-01-28',
  '2026-03-03',
  '0000-01-01',
  '0001-01-01',
  '9999-12-31',
  '2026-02-30',
  '2026-2-28',
  'soon',
  '',
])('%j is not the day of any revenue', (reference) => {
  expect(revenueDayOf({ ...revenue, reference }, blockAt)).toBeNull()
})

test('another asset and another action are no revenue', () => {
  expect(revenueDayOf({ ...revenue, asset: 'USDT', reference: '2026-03-01' }, blockAt)).toBeNull()
  expect(revenueDayOf({ ...revenue, action: 'deposit', reference: '2026-03-01' }, blockAt)).toBeNull()
})

test('whatever is written there: a day of the calendar within its bounds, or none', () => {
  const text = fc.oneof(anyText(12), fc.stringMatching(/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/))
  fc.assert(
    fc.property(text, (reference) => {
      const day = revenueDayOf({ ...revenue, reference }, blockAt)
      if (day === null) return
      expect(isDay(day) && day >= '2026-01-29' && day <= '2026-03-02').toBe(true)
    }),
    { numRuns: 1_000 },
  )
})
