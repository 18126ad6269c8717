import { expect, test } from 'vitest'
import { createTestDatabase } from '@candela/testing/postgres/test-database'
import { fakeClock } from '../../kernel/clock.ts'
import { addClosedDay } from './testing.ts'
import { incomeGauges } from './gauges.ts'

test('tell since when the last closed day is over', async () => {
  await using database = await createTestDatabase()
  const clock = fakeClock('2026-03-03T00:10:00.000Z')
  const figures = () =>
    Promise.all(incomeGauges(database.db, clock).map(async ({ name, read }) => [name, await read()]))
  expect(await figures()).toEqual([['candela_close_age_seconds', Number.NaN]])
  await addClosedDay(database.db, '2026-03-01')
  expect(await figures()).toEqual([['candela_close_age_seconds', 86_400 + 600]])
  await addClosedDay(database.db, '2026-03-02')
  expect(await figures()).toEqual([['candela_close_age_seconds', 600]])
})
