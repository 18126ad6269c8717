import { createTestDatabase } from '@candela/testing/postgres/test-database'
import { WHOLE_UNIT } from '@candela/protocol/units'
import { expect, test } from 'vitest'
import type { Price } from './price.ts'
import { observedPair } from './testing.ts'

const QUARTER_S = 15 * 60
const DAY_S = 24 * 3_600
const whole = (price: bigint | null) => Number(price) / Number(WHOLE_UNIT)
const MILLION = 1_000_000n * WHOLE_UNIT

async function startPair() {
  const database = await createTestDatabase()
  const { db } = database
  const pair = observedPair(db)
  await pair.observe()
  const pass = async (seconds: number, every_s = QUARTER_S): Promise<Price> => {
    for (let left = seconds; left > every_s; left -= every_s) await pair.observeAfter(every_s)
    return pair.observeAfter(seconds % every_s === 0 ? every_s : seconds % every_s)
  }
  return { db, pair, pass, [Symbol.asyncDispose]: () => database.drop() }
}

test('a provider that leaves the pair for an observed block changes the depth at no time, and what the desk takes in that block only', async () => {
  await using market = await startPair()
  const { pair, pass } = market
  await pass(DAY_S)
  pair.hold(1n)
  expect(await pass(3)).toMatchObject({ liquidity: WHOLE_UNIT, depth: { usdt: MILLION } })
  pair.hold(1_000_000n)
  expect(await pass(3)).toMatchObject({ liquidity: MILLION, depth: { usdt: MILLION } })
  expect(await pass(QUARTER_S)).toMatchObject({ liquidity: MILLION, depth: { usdt: MILLION } })
})

test('who fills the pair does not raise either before it has stayed for most of the time', async () => {
  await using market = await startPair()
  const { pair, pass } = market
  await pass(7 * DAY_S)
  pair.hold(5_000_000n)
  expect(await pass(20 * 3_600)).toMatchObject({ liquidity: MILLION, depth: { usdt: MILLION } })
  expect(await pass(4 * 3_600)).toMatchObject({ liquidity: 5n * MILLION, depth: { usdt: MILLION } })
  expect(await pass(5 * DAY_S)).toMatchObject({ depth: { usdt: MILLION } })
  expect(await pass(DAY_S)).toMatchObject({ depth: { usdt: 5n * MILLION } })
})

test('who leaves lowers the depth after a tenth of the time', async () => {
  await using market = await startPair()
  const { pair, pass } = market
  await pass(7 * DAY_S)
  pair.hold(10_000n)
  expect(await pass(16 * 3_600)).toMatchObject({ liquidity: 10_000n * WHOLE_UNIT, depth: { usdt: MILLION } })
  expect(await pass(3_600)).toMatchObject({ depth: { usdt: 10_000n * WHOLE_UNIT } })
})

test('a quarter of an hour counts what the pair held in it, weighted by time', async () => {
  await using market = await startPair()
  const { db, pair, pass } = market
  await pass(600, 300)
  pair.hold(4_000_000n)
  await pass(60, 60)
  pair.hold(1_000_000n)
  await pass(180, 60)
  const [first] = await db.selectFrom('pair_quarter').selectAll().orderBy('quarter').execute()
  expect(Number((first?.usdt ?? 0n) / WHOLE_UNIT)).toBeCloseTo((14 * 1_000_000 + 4_000_000) / 15, -6)
})

test('the average of a week begins a week ago, or with the pair; another pair begins anew', async () => {
  await using market = await startPair()
  const { db, pair, pass } = market
  await pass(3 * DAY_S, 3_600)
  pair.trade(2_000)
  const young = await pass(3 * DAY_S, 3_600)
  expect(whole(young.weekAverage)).toBeCloseTo(1.5, 6)
  expect(young.depth?.since).toEqual(new Date('2026-03-01T00:00:00Z'))
  const old = await pass(3 * DAY_S, 3_600)
  expect(whole(old.weekAverage)).toBeCloseTo((1 + 2 * 6) / 7, 6)
  expect(pair.now().getTime() - (old.depth?.since.getTime() ?? 0)).toBe(8 * DAY_S * 1_000)
  const other = observedPair(db, { pair: `0x${'bb'.repeat(20)}`, start: pair.now(), startBlock: 10_000n })
  await other.observe()
  const begun = await other.observeAfter(60)
  expect(begun.depth?.since).toEqual(pair.now())
  expect(whole(begun.weekAverage)).toBeCloseTo(1, 6)
})

test('the median follows a price that has held for half of five minutes', async () => {
  await using market = await startPair()
  const { pair, pass } = market
  await pass(3_600, 60)
  pair.trade(500)
  expect((await pass(149, 10)).median5).toBe(WHOLE_UNIT)
  expect((await pass(2, 2)).median5).toBe(WHOLE_UNIT / 2n)
})
