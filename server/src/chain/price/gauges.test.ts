import { expect, test } from 'vitest'
import { observedPair } from './testing.ts'
import { createTestDatabase } from '@candela/testing/postgres/test-database'
import { priceGauges } from './gauges.ts'

test('tell how many prices are paused, and how many of them wait for an operator', async () => {
  const database = await createTestDatabase()
  const pairs = (['JU', 'HASH'] as const).map((asset) => observedPair(database.db, { asset }))
  const observeFor = async (minutes: number) => {
    for (let minute = 0; minute < minutes; minute++) for (const pair of pairs) await pair.observeAfter(60)
  }
  const figures = () => {
    const clock = { now: () => pairs[0]?.now() ?? new Date(0) }
    return Promise.all(priceGauges(database.db, clock).map(async ({ name, read }) => [name, await read()]))
  }
  await observeFor(10)
  expect(await figures()).toEqual([
    ['candela_prices_paused', 0],
    ['candela_prices_halted', 0],
  ])
  pairs[1]?.trade(3_000)
  await observeFor(5)
  pairs[0]?.trade(1_150)
  await observeFor(1)
  expect(await figures()).toEqual([
    ['candela_prices_paused', 2],
    ['candela_prices_halted', 1],
  ])
  await database.drop()
})
