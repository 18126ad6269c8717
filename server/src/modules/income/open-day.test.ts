import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, transaction } from '../../db/open.ts'
import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'
import { addDays, utcDay } from '@candela/protocol/calendar'
import { openNextDay } from './open-day.ts'
import { shareNext } from './share-day.ts'
import { addMembers, addPlans, addPower, addRevenue, DEPTH, finalAt } from './testing.ts'

const now = new Date('2026-03-10T00:20:00Z')
const FIRST = '2026-03-08'

let own: TestDatabase
let db: Database
beforeAll(async () => {
  own = await createTestDatabase()
  db = own.db
  await finalAt(db, now)
})
afterAll(() => own.drop())

const open = () => transaction(db, (tx) => openNextDay(tx, { upTo: utcDay(now), now, depth: DEPTH, maxWait_ms: 0 }))
const dayOf = (day: string) => db.selectFrom('income_day').selectAll().where('day', '=', day).executeTakeFirstOrThrow()

test('days open from the first with power, count what is on the chain, and are paid so many members at a time', async () => {
  // Anybody may deposit, also for a day before there was power.
  await addRevenue(db, addDays(FIRST, -20), 1n)
  expect(await open()).toBeNull()

  const [planId] = await addPlans(db, [0])
  const { first } = await addMembers(db, 5)
  await addPower(
    db,
    Array.from({ length: 5 }, (_, nth) => ({
      memberId: first + BigInt(nth),
      planId: planId ?? 0n,
      units: 1n,
      startsOn: FIRST,
      endsOn: FIRST,
    })),
  )
  // Some begins later, and does not move the first day.
  await addPower(db, [
    { memberId: first, planId: planId ?? 0n, units: 1n, startsOn: addDays(FIRST, 1), endsOn: addDays(FIRST, 1) },
  ])
  await addRevenue(db, FIRST, 9n)
  const gone = await addRevenue(db, FIRST, 100n)
  await db.updateTable('chain_event').set({ orphaned_at: now }).where('id', '=', gone).execute()
  expect(await open()).toEqual({ opened: FIRST })
  expect(await dayOf(FIRST)).toMatchObject({ revenue: 10n, carried_in: 0n, total_units: 5n, closed_at: null })
  // While it is being shared no other day is opened.
  expect(await open()).toEqual({ isSharing: true })

  const share = (members: number) => transaction(db, (tx) => shareNext(tx, members, now))
  expect(await share(2)).toBe(true)
  expect(await dayOf(FIRST)).toMatchObject({ accounts: 2n, paid: 4n, closed_at: null })
  expect(await share(5)).toBe(true)
  expect(await dayOf(FIRST)).toMatchObject({ accounts: 5n, paid: 10n, closed_at: now })
  expect(await share(5)).toBe(false)
})
