import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, transaction } from '../../db/open.ts'
import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'
import { addDays } from '@candela/protocol/calendar'
import { closeDays } from './close-days.ts'
import { readDaily } from './read-daily.ts'
import { openNextDay } from './open-day.ts'
import { readDay, readLastDay } from './read-day.ts'
import { addMembers, addPlans, addPower, addRevenue, DEPTH, finalAt } from './testing.ts'

const now = new Date('2026-03-10T00:20:00Z')
const DAY = '2026-03-01'
const NEXT = addDays(DAY, 1)

let own: TestDatabase
let db: Database
let memberId: bigint
beforeAll(async () => {
  own = await createTestDatabase()
  db = own.db
  await finalAt(db, now)
  const [planId] = await addPlans(db, [100_000])
  memberId = (await addMembers(db, 1)).first
  await addPower(db, [{ memberId, planId: planId ?? 0n, units: 1n, startsOn: DAY, endsOn: NEXT }])
  await addRevenue(db, DAY, 60n)
  await addRevenue(db, DAY, 45n)
  await addRevenue(db, NEXT, 7n)
  await closeDays({ db, clock: { now: () => now }, depth: DEPTH }, DAY)
  await transaction(db, (tx) => openNextDay(tx, { upTo: NEXT, now, depth: DEPTH, maxWait_ms: 0 }))
})
afterAll(() => own.drop())

const amountOf = (units: bigint) => `0.${units.toString().padStart(18, '0')}`.replace(/0+$/, '')

test('a closed day shows all that it was shared by: its own deposits, and what fee and shares leave', async () => {
  const day = await readDay(db, DAY)
  expect(day).toMatchObject({ day: DAY, closed: true, accounts: 1, carriedIn: '0' })
  expect(day.deposits.map(({ amount }) => amount)).toEqual([amountOf(60n), amountOf(45n)])
  const figures = await db.selectFrom('income_day').selectAll().where('day', '=', DAY).executeTakeFirstOrThrow()
  expect(figures).toMatchObject({ revenue: 105n, fee: 10n, paid: 94n })
  expect(day.carriedOut).toBe(amountOf(1n))
})

test('a day that is still being shared is not the last one, and not shown as closed', async () => {
  expect(await readLastDay(db)).toMatchObject({ day: DAY })
  expect(await readDay(db, undefined)).toMatchObject({ day: DAY })
  expect(await readDay(db, NEXT)).toMatchObject({ day: NEXT, closed: false })
  const { items: daily } = await readDaily(db, memberId, 30, now)
  expect(daily).toHaveLength(30)
  expect(daily.find(({ day }) => day === DAY)?.amount).toBe(amountOf(94n))
  expect(daily.filter(({ closed }) => closed).map(({ day }) => day)).toEqual([DAY])
  expect(daily.map(({ day }) => day)).toContain(NEXT)
})
