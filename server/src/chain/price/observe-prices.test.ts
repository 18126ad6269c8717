import { WHOLE_UNIT } from '@candela/protocol/units'
import { expect, test } from 'vitest'
import { transaction } from '../../db/open.ts'
import { createTestDatabase } from '@candela/testing/postgres/test-database'
import { type Price, readPrices } from './price.ts'
import { resumePrice } from './resume-price.ts'
import { observedPair } from './testing.ts'

const MINUTE_S = 60
const HOUR_S = 3_600

async function prepare() {
  const database = await createTestDatabase()
  const pair = observedPair(database.db)
  return {
    db: database.db,
    pair,
    /** Observes for so many minutes, once in each, and gives what was seen. */
    observeFor: async (minutes: number): Promise<Price[]> => {
      const seen: Price[] = []
      for (let minute = 0; minute < minutes; minute++) seen.push(await pair.observeAfter(MINUTE_S))
      return seen
    },
    resume: (usdt: bigint) =>
      transaction(database.db, async (tx) => (await resumePrice(tx, 'JU', usdt, pair.now())).result),
    [Symbol.asyncDispose]: () => database.drop(),
  }
}

/** At which one would be traded. */
const usable = (seen: readonly Price[]): number[] =>
  seen.filter(({ paused }) => !paused).map(({ average }) => whole(average))
const whole = (amount: bigint | null | undefined): number => Number(amount) / 1e18
const reasons = (seen: readonly Price[]): string[] => [...new Set(seen.map(({ pauseReason }) => pauseReason))]

test('a price that was tripled and held is not used, is in use again where it was, and is then as if nothing had been', async () => {
  await using setting = await prepare()
  const { pair, observeFor } = setting
  expect(reasons(await observeFor(60))).toEqual(['none'])
  pair.trade(3_000)
  const held = await observeFor(120)
  expect(usable(held)).toEqual([])
  expect(reasons(held)).toEqual(['deviation', 'halted'])
  // The average is that of the day before the push, up to the minutes that it took to be noticed.
  expect(Number(held.at(-1)?.dayAverage) / 1e18).toBeLessThan(1.01)
  pair.trade(1_000)
  const after = await observeFor(40)
  expect(reasons(after)).toEqual(['halted', 'none'])
  expect(after.at(-1)?.dayAverage).toBeLessThan((WHOLE_UNIT * 101n) / 100n)
  expect(pair.changes).toEqual(['halted', 'resumed'])
})

test('a push right after the first observation is held against that observation', async () => {
  await using setting = await prepare()
  const { pair } = setting
  await pair.observe()
  await pair.observeAfter(10)
  pair.trade(3_000)
  const held: Price[] = []
  for (let i = 0; i < 60; i++) held.push(await pair.observeAfter(10))
  expect(Number(held.at(-1)?.average) / 1e18).toBeGreaterThan(2.9)
  expect(usable(held)).toEqual([])
})

test('a push for seconds pauses and does not halt', async () => {
  await using setting = await prepare()
  const { pair, observeFor } = setting
  await observeFor(40)
  pair.trade(5_000)
  expect((await pair.observeAfter(10)).pauseReason).toBe('deviation')
  pair.trade(1_000)
  expect(reasons([await pair.observeAfter(10), ...(await observeFor(40))])).toEqual(['none'])
  expect(pair.changes).toEqual([])
})

test('a slow push of 5 % an hour, which never leaves its half hour, ends a fifth above the day', async () => {
  await using setting = await prepare()
  const { pair, observeFor } = setting
  await observeFor(60)
  const seen: Price[] = []
  for (let minute = 3; minute <= 12 * 60; minute += 3) {
    pair.trade(1_000 * 1.05 ** (minute / 60))
    seen.push(await pair.observeAfter(3 * MINUTE_S))
  }
  expect(reasons(seen)).toEqual(['none', 'halted'])
  const used = usable(seen)
  expect(used.length / 20).toBeGreaterThan(3)
  expect(used.length / 20).toBeLessThan(6)
  expect(Math.max(...used)).toBeLessThan(1.25)
})

test('a fall is halted as a rise is', async () => {
  await using setting = await prepare()
  await setting.observeFor(40)
  setting.pair.trade(500)
  const seen = await setting.observeFor(60)
  expect(usable(seen)).toEqual([])
  expect(setting.pair.changes).toEqual(['halted'])
})

test('a price that really moved waits for an operator, who says what it is, and then goes on', async () => {
  await using setting = await prepare()
  const { pair, observeFor, resume } = setting
  await observeFor(40)
  expect(await resume(WHOLE_UNIT)).toBe('notHalted')
  pair.trade(2_000)
  await observeFor(60)
  for (let hour = 0; hour < 48; hour++) expect((await pair.observeAfter(HOUR_S)).pauseReason).toBe('halted')
  await observeFor(31)

  expect(await resume(WHOLE_UNIT)).toBe('elsewhere')
  expect(await resume((WHOLE_UNIT * 179n) / 100n)).toBe('elsewhere')
  expect((await readPrices(setting.db, pair.now())).JU.paused).toBe(true)
  expect(await resume((WHOLE_UNIT * 21n) / 10n)).toBe('resumed')
  expect((await readPrices(setting.db, pair.now())).JU).toMatchObject({
    paused: false,
    dayAverage: 2_100_000_000_000_000_000n,
  })
  expect(await resume(2n * WHOLE_UNIT)).toBe('notHalted')

  // The day fills with what is observed, and a push is still held against it.
  expect(reasons(await observeFor(60))).toEqual(['none'])
  for (let hour = 0; hour < 24; hour++) expect((await pair.observeAfter(HOUR_S)).pauseReason).toBe('none')
  expect((await readPrices(setting.db, pair.now())).JU.dayAverage).toBe(2n * WHOLE_UNIT)
  pair.trade(6_000)
  expect(usable(await observeFor(60))).toEqual([])
})

test('it is not resumed at a price that is too old, or that only the spot or only the average has', async () => {
  await using setting = await prepare()
  const { pair, observeFor, resume } = setting
  await observeFor(40)
  pair.trade(2_000)
  await observeFor(60)
  pair.trade(1_700)
  await pair.observeAfter(10)
  expect(await resume((WHOLE_UNIT * 17n) / 10n)).toBe('elsewhere')
  expect(await resume(2n * WHOLE_UNIT)).toBe('elsewhere')
  await observeFor(60)
  const late = new Date(pair.now().getTime() + 301_000)
  const answer = await transaction(setting.db, (tx) => resumePrice(tx, 'JU', (WHOLE_UNIT * 17n) / 10n, late))
  expect(answer.result).toBe('stale')
  expect(await resume((WHOLE_UNIT * 17n) / 10n)).toBe('resumed')
})

test('a node that fell behind takes nothing back; a reorganisation does', async () => {
  await using setting = await prepare()
  const { pair, observeFor } = setting
  await observeFor(40)
  const count = async () => (await setting.db.selectFrom('price_observation').select('at').execute()).length
  const before = await count()
  pair.fallBack(301)
  await pair.observe()
  expect(await count()).toBe(before)
  pair.fallBack(-1)
  await pair.observe()
  // Six observations, of the last five minutes, gave way to one.
  expect(await count()).toBe(before - 5)
})

test('the observations of a day are kept, and the one before them', async () => {
  await using setting = await prepare()
  for (let hour = 0; hour < 40; hour++) await setting.pair.observeAfter(HOUR_S)
  const kept = await setting.db.selectFrom('price_observation').select('at').orderBy('at').execute()
  expect(kept).toHaveLength(25)
  expect(setting.pair.now().getTime() - (kept[0]?.at.getTime() ?? 0)).toBe(24 * HOUR_S * 1_000)
})

test('liquidity is the least of a day', async () => {
  await using setting = await prepare()
  const { pair } = setting
  await pair.observeAfter(HOUR_S)
  pair.trade(900)
  await pair.observeAfter(HOUR_S)
  pair.trade(1_000)
  expect((await pair.observeAfter(HOUR_S)).liquidity).toBe(900_000n * WHOLE_UNIT)
  for (let hour = 0; hour < 25; hour++) await pair.observeAfter(HOUR_S)
  expect((await pair.observeAfter(HOUR_S)).liquidity).toBe(1_000_000n * WHOLE_UNIT)
})

test('another pair of the same asset is compared with what the price was', async () => {
  await using setting = await prepare()
  await setting.observeFor(40)
  const other = observedPair(setting.db, { pair: `0x${'bb'.repeat(20)}`, start: setting.pair.now().toISOString() })
  other.trade(3_000)
  const seen: Price[] = []
  for (let minute = 0; minute < 40; minute++) seen.push(await other.observeAfter(MINUTE_S))
  expect(usable(seen)).toEqual([])
  expect(seen.at(-1)).toMatchObject({ pauseReason: 'halted' })
  expect(seen.at(-1)?.dayAverage).toBeLessThan((WHOLE_UNIT * 101n) / 100n)
})

test('all four figures of an observed price, each over its window', async () => {
  await using setting = await prepare()
  const { pair, observeFor } = setting
  for (let hour = 0; hour < 24; hour++) await pair.observeAfter(HOUR_S)
  pair.trade(1_060)
  await observeFor(30)
  pair.trade(1_080)
  const [last] = (await observeFor(3)).slice(-1)
  expect(last?.spot).toBe((WHOLE_UNIT * 108n) / 100n)
  expect(whole(last?.average5)).toBeCloseTo((2 * 1.06 + 3 * 1.08) / 5)
  expect(whole(last?.average)).toBeCloseTo((27 * 1.06 + 3 * 1.08) / 30)
  // The day begins at the last observation before it, the first of all here.
  expect(whole(last?.dayAverage)).toBeCloseTo((23 * 60 + 30 * 1.06 + 3 * 1.08) / (23 * 60 + 33), 3)
})
