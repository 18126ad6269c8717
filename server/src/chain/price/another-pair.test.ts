import { HOUR_MS, MINUTE_MS, WHOLE_UNIT } from '@candela/protocol/units'
import { expect, test } from 'vitest'
import { createTestDatabase } from '@candela/testing/postgres/test-database'
import { observedPair } from './testing.ts'

/** The operator names another pair for an asset: its sum of prices is not that of the pair before it. */

const HOUR_S = HOUR_MS / 1_000

/** An asset whose pair was observed for a day: twelve hours at 1 USDT, and twelve at another price. */
async function startObserved(thousandths: number) {
  const own = await createTestDatabase()
  const pair = observedPair(own.db)
  await pair.observe()
  for (let hour = 0; hour < 12; hour++) await pair.observeAfter(HOUR_S)
  pair.trade(thousandths)
  for (let hour = 0; hour < 12; hour++) await pair.observeAfter(HOUR_S)
  const start = new Date(pair.now().getTime() + MINUTE_MS)
  return {
    next: observedPair(own.db, { pair: `0x${'bb'.repeat(20)}`, start, startBlock: 1_000n }),
    start,
    observedPairs: () => own.db.selectFrom('price_observation').select('pair').distinct().execute(),
    reference: () => own.db.selectFrom('price_reference').selectAll().executeTakeFirstOrThrow(),
    [Symbol.asyncDispose]: () => own.drop(),
  }
}

test('the day’s average of the pair before counts on, and nothing else of it', async () => {
  await using setting = await startObserved(1_100)
  expect((await setting.reference()).price).toBe(WHOLE_UNIT)
  setting.next.trade(1_100)
  await setting.next.observe()
  expect(await setting.observedPairs()).toEqual([{ pair: `0x${'bb'.repeat(20)}` }])
  const { price, since, halted_at } = await setting.reference()
  // 1.05, but for the rounding of two averages.
  expect(price).toBeGreaterThan((WHOLE_UNIT * 1_049_999n) / 1_000_000n)
  expect(price).toBeLessThanOrEqual((WHOLE_UNIT * 1_050n) / 1_000n)
  expect([since, halted_at]).toEqual([setting.start, null])
})

test('it ends no halt', async () => {
  await using setting = await startObserved(3_000)
  const halted = await setting.reference()
  expect(halted.halted_at).not.toBeNull()
  setting.next.trade(3_000)
  await setting.next.observe()
  expect(await setting.reference()).toEqual(halted)
})
