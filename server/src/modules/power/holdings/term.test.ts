import { expect, test } from 'vitest'
import { utcDay } from '@candela/protocol/calendar'
import { termOf, utcDayAfter } from './term.ts'

test('power earns from the UTC day after its payment, for as many days as the plan says', () => {
  expect(termOf(new Date('2026-03-01T00:00:00Z'), 1)).toEqual({ startsOn: '2026-03-02', endsOn: '2026-03-02' })
  expect(termOf(new Date('2026-03-01T23:59:59.999Z'), 30)).toEqual({ startsOn: '2026-03-02', endsOn: '2026-03-31' })
  expect(termOf(new Date('2028-02-28T12:00:00Z'), 2)).toEqual({ startsOn: '2028-02-29', endsOn: '2028-03-01' })
  expect(termOf(new Date('2026-12-31T12:00:00Z'), 365)).toEqual({ startsOn: '2027-01-01', endsOn: '2027-12-31' })
})

test('it starts later when its first day is shared already, and its term stays whole', () => {
  const paidAt = new Date('2026-03-01T12:00:00Z')
  expect(termOf(paidAt, 3, '2026-03-05')).toEqual({ startsOn: '2026-03-05', endsOn: '2026-03-07' })
  expect(termOf(paidAt, 3, '2026-03-02')).toEqual({ startsOn: '2026-03-02', endsOn: '2026-03-04' })
  expect(termOf(paidAt, 3, '2026-02-01')).toEqual({ startsOn: '2026-03-02', endsOn: '2026-03-04' })
})

test('days are those of UTC, and are counted both ways', () => {
  const time = new Date('2026-03-01T23:30:00-01:00')
  expect(utcDay(time)).toBe('2026-03-02')
  expect(utcDayAfter(time, 30)).toBe('2026-04-01')
  expect(utcDayAfter(time, -2)).toBe('2026-02-28')
})
