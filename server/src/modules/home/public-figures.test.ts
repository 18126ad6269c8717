import { WHOLE_UNIT } from '@candela/protocol/units'
import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { primaryReads, type StandbyReads } from '../../db/standby/standby.ts'
import { addMember, addressOf, followTo } from '../power/testing.ts'
import { createPublicFigures } from './public-figures.ts'

const at = (time_ms: number) => new Date(time_ms)
const chainLimits = { maxHeadAge_s: 60, maxLag_blocks: 0 }

let own: TestDatabase
beforeAll(async () => {
  own = await createTestDatabase()
  await followTo(own.db, 1n, at(0))
  for (let nth = 1; nth <= 7; nth += 1) await addMember(own.db, addressOf(nth))
})
afterAll(() => own.drop())
beforeEach(() => own.owner.deleteFrom('income_day').execute())

/** A closed day. HASH base units. */
const closeDay = (paid: bigint, totalUnits: bigint) =>
  own.db
    .insertInto('income_day')
    .values({
      day: '2026-03-01',
      revenue: 10n * WHOLE_UNIT,
      carried_in: 0n,
      total_units: totalUnits,
      fee: 0n,
      paid,
      accounts: 1n,
      opened_at: at(0),
      closed_at: at(0),
    })
    .execute()

/** Reads with a count of them; `fails` makes the next one fail. */
function counted() {
  const primary = primaryReads(own.db)
  const state = { reads: 0, fails: false }
  const standby: StandbyReads = {
    ...primary,
    recent(read) {
      state.reads += 1
      if (!state.fails) return primary.recent(read)
      state.fails = false
      return Promise.reject(new Error('no database'))
    },
  }
  return { state, read: createPublicFigures({ standby, chainLimits }) }
}

test('says what there is, and what one unit was really paid on the last closed day', async () => {
  await closeDay(9n * WHOLE_UNIT, 4n)
  expect(await counted().read(at(0))).toEqual({
    totalUnits: 0,
    unit: 'T',
    accounts: 7,
    yesterday: { day: '2026-03-01', revenue: '10', outputPerUnit: '2.25' },
    fundRate: null,
    fundRateCloses: null,
    chainDelayed: false,
    solvency: null,
  })
})

test('no day is closed yet, or nobody had power on it', async () => {
  expect((await counted().read(at(0))).yesterday).toBeNull()
  await closeDay(0n, 0n)
  expect((await counted().read(at(0))).yesterday).toEqual({ day: '2026-03-01', revenue: '10', outputPerUnit: '0' })
})

test('reads once in three seconds, however many ask, also when the clock goes back', async () => {
  const { state, read } = counted()
  await Promise.all([read(at(10_000)), read(at(10_000)), read(at(12_999))])
  const once = state.reads
  expect(once).toBeGreaterThan(0)
  await read(at(13_000))
  expect(state.reads).toBe(2 * once)
  await read(at(5_000))
  expect(state.reads).toBe(3 * once)
})

test('says that the chain is delayed while it is', async () => {
  const { read } = counted()
  expect((await read(at(59_000))).chainDelayed).toBe(false)
  expect((await read(at(70_000))).chainDelayed).toBe(true)
})

test('a failure is told to whoever asked, and not kept', async () => {
  const { state, read } = counted()
  state.fails = true
  const both = await Promise.allSettled([read(at(0)), read(at(0))])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect((await read(at(0))).accounts).toBe(7)
})
