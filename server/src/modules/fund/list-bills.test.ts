import { billPeriods } from '@candela/protocol/lending/choices'
import { expect, test } from 'vitest'
import { startOfPeriod } from './list-bills.ts'

test('bills of all, of a week, a month, three months, half a year and a year', () => {
  const now = new Date('2026-08-31T15:00:00Z')
  const starts = billPeriods.map((period) => [period, startOfPeriod(period, now)?.toISOString() ?? null])
  expect(starts).toEqual([
    ['all', null],
    ['week', '2026-08-24T15:00:00.000Z'],
    // A month that is too short gives its last day.
    ['month', '2026-07-31T00:00:00.000Z'],
    ['threeMonths', '2026-05-31T00:00:00.000Z'],
    ['halfYear', '2026-02-28T00:00:00.000Z'],
    ['year', '2025-08-31T00:00:00.000Z'],
  ])
})
