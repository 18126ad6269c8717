import { priceDays } from '@candela/protocol/lending/choices'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createTestDatabase } from '@candela/testing/postgres/test-database'
import { readPriceHistory } from './price-history.ts'
import { observedPair } from './testing.ts'

const MINUTE_S = 60
const QUARTER_S = 15 * MINUTE_S

async function prepare() {
  const database = await createTestDatabase()
  const { db } = database
  const pair = observedPair(db)
  const history = async (days: (typeof priceDays)[number] = '1') =>
    (await readPriceHistory(db, 'JU', days, pair.now())).map(({ at, price, lowest, highest }) => ({
      at: at.toISOString().slice(11, 16),
      prices: [lowest, price, highest].map((each) => fromBaseUnits(each)),
    }))
  return { db, pair, history, [Symbol.asyncDispose]: () => database.drop() }
}

test('each point is the last price of its time, with the lowest and the highest of it', async () => {
  await using setting = await prepare()
  const { pair, history } = setting
  for (const price of [1_000, 900, 1_100, 1_050]) {
    pair.trade(price)
    await pair.observeAfter(MINUTE_S)
  }
  await pair.observeAfter(QUARTER_S)
  expect(await history()).toEqual([
    { at: '00:04', prices: ['0.9', '1.05', '1.1'] },
    { at: '00:19', prices: ['1.05', '1.05', '1.05'] },
  ])
  // Together in one point when more days are shown.
  expect(await history('7')).toEqual([{ at: '00:19', prices: ['0.9', '1.05', '1.1'] }])
})

test('what a reorganisation took back is in no point', async () => {
  await using setting = await prepare()
  const { pair, history } = setting
  await pair.observeAfter(MINUTE_S)
  pair.trade(500)
  await pair.observeAfter(QUARTER_S - MINUTE_S)
  expect((await history()).map(({ prices }) => prices[0])).toEqual(['1', '0.5'])
  pair.trade(1_000)
  pair.fallBack(MINUTE_S)
  await pair.observe()
  expect(await history()).toEqual([{ at: '00:14', prices: ['1', '1', '1'] }])
})

test('a month is kept, and shown in fewer than 200 points', async () => {
  await using setting = await prepare()
  const { db, pair } = setting
  await pair.observe()
  // A quarter of an hour after the other for 40 days before it.
  await sql`
    insert into price_history (asset, quarter, at, block_number, price, lowest, highest)
    select 'JU', quarter, quarter, 1, 3, 2, 4
    from generate_series(${pair.now()}::timestamptz - interval '40 days', ${pair.now()}::timestamptz - interval '1 hour',
      interval '15 minutes') as quarter`.execute(db)
  const countAll = async () =>
    Number((await sql<{ n: bigint }>`select count(*) as n from price_history`.execute(db)).rows[0]?.n)
  expect(await countAll()).toBeGreaterThan(39 * 96)
  await pair.observeAfter(MINUTE_S)
  expect(await countAll()).toBeLessThan(31.1 * 96)
  for (const days of priceDays) {
    const points = await readPriceHistory(db, 'JU', days, pair.now())
    expect(points.length).toBeGreaterThan(90)
    expect(points.length).toBeLessThan(200)
    expect(points.map(({ at }) => at.getTime())).toEqual(points.map(({ at }) => at.getTime()).toSorted((a, b) => a - b))
  }
})
