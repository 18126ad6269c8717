import { WHOLE_UNIT } from '@candela/protocol/units'
import { createTestDatabase } from '@candela/testing/postgres/test-database'
import { expect, test } from 'vitest'
import { transaction } from '../../../db/open.ts'
import { fakeClock } from '../../../kernel/clock.ts'
import { readPrices, readUsablePrice } from '../price.ts'
import { type FixedPrices, withFixedPrices } from './fixed-prices.ts'
import { readLimitPrice } from '../use-price.ts'

const clock = fakeClock('2026-03-01T12:00:00.000Z')
const third = WHOLE_UNIT / 3n

test('a test database tells the prices that the test says, to the last digit, also within a transaction', async () => {
  await using database = await createTestDatabase()
  let prices: FixedPrices = {
    JU: { average: third, spot: third + 1n, average5: third + 2n, day: third + 3n },
    HASH: null,
  }
  const db = withFixedPrices(database.db, () => prices, clock)
  const now = clock.now()
  const { JU, HASH } = await transaction(db, (tx) => readPrices(tx, now))
  expect(JU).toMatchObject({
    average: third,
    spot: third + 1n,
    average5: third + 2n,
    median5: third + 2n,
    dayAverage: third + 3n,
    weekAverage: third + 3n,
    liquidity: 10_000_000n * WHOLE_UNIT,
    pauseReason: 'none',
  })
  expect(HASH).toMatchObject({ average: null, pauseReason: 'noObservation' })
  expect(await readUsablePrice(db, 'JU', now)).toBe(third)
  prices = { JU: { average: third, is: 'halted' }, HASH: { average: third, is: 'stale' } }
  expect(await readUsablePrice(db, 'JU', now)).toBeNull()
  expect(await readLimitPrice(db, 'JU', now)).toEqual({ price: third, isPaused: true })
  expect(await readLimitPrice(db, 'HASH', now)).toBeNull()
  // The database itself has no observation.
  expect((await readPrices(database.db, now)).JU.pauseReason).toBe('noObservation')
})
