import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, addMonths, daysBetween, isDay, startOfDay, utcDay, yesterdayOf } from './calendar.ts'

test('a day is the one of UTC and begins at its midnight', () => {
  expect(utcDay(new Date('2026-03-01T23:30:00-01:00'))).toBe('2026-03-02')
  expect(startOfDay('2026-03-01')).toEqual(new Date(Date.UTC(2026, 2, 1)))
})

test('days are counted over months, years and leap days', () => {
  expect(addDays('2026-02-28', 1)).toBe('2026-03-01')
  expect(addDays('2028-02-28', 1)).toBe('2028-02-29')
  expect(addDays('2027-01-01', -1)).toBe('2026-12-31')
  expect(addDays('2026-03-01', 0)).toBe('2026-03-01')
})

test('months end on their last day where they are shorter', () => {
  expect(addMonths('2026-01-31', 1)).toBe('2026-02-28')
  expect(addMonths('2028-01-31', 1)).toBe('2028-02-29')
  expect(addMonths('2026-11-30', 3)).toBe('2027-02-28')
  expect(addMonths('2026-11-22', 12)).toBe('2027-11-22')
})

test('days between two days are those that are added to the first to get the second', () => {
  expect(daysBetween('2026-02-28', '2026-03-01')).toBe(1)
  expect(daysBetween('2026-03-01', '2026-02-28')).toBe(-1)
  expect(daysBetween('2026-03-01', addDays('2026-03-01', 1_000))).toBe(1_000)
})

test('the last day that is over is yesterday until midnight UTC', () => {
  expect(yesterdayOf(new Date('2026-03-01T00:00:00Z'))).toBe('2026-02-28')
  expect(yesterdayOf(new Date('2026-03-01T23:59:59.999Z'))).toBe('2026-02-28')
})

test('every day of the calendar is one, and counting there and back gives it again', () => {
  const time = fc.date({ min: startOfDay('1970-01-01'), max: startOfDay('2999-12-31'), noInvalidDate: true })
  fc.assert(
    fc.property(time, fc.integer({ min: -10_000, max: 10_000 }), (at, days) => {
      const day = utcDay(at)
      expect(isDay(day)).toBe(true)
      expect(addDays(addDays(day, days), -days)).toBe(day)
    }),
  )
})

test.each(['2026-02-29', '2026-02-30', '2026-13-01', '2026-00-01', '2026-01-32', '2026-1-1', '2026-01-01\n', '', 'x'])(
  '%j is no day',
  (text) => {
    expect(isDay(text)).toBe(false)
  },
)
