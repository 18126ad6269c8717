import { poolOf, serviceFeeOf, shareOf } from '@candela/protocol/money/income'
import { must } from '../../kernel/assert.ts'
import * as fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type Database, transaction } from '../../db/open.ts'
import { createTestDatabase } from '@candela/testing/postgres/test-database'
import { memberBalances } from '../../ledger/balances.ts'
import { addDays, startOfDay } from '@candela/protocol/calendar'
import { openNextDay } from './open-day.ts'
import { shareNext } from './share-day.ts'
import { addClosedDay, addMembers, addPlans, addPower, addRevenue, DEPTH, finalAt } from './testing.ts'

const MEMBERS = 6
const FEES = [0n, 1n, 50_000n, 333_333n, 1_000_000n]
const FIRST_DAY = '2026-03-01'
const NOW = new Date('2026-03-10T00:20:00Z')

const anyHolding = fc.record({
  member: fc.nat(MEMBERS - 1),
  plan: fc.nat(FEES.length - 1),
  units: fc.oneof(fc.bigInt(1n, 3n), fc.bigInt(1n, 10n ** 9n)),
  /** First and last day that earn, in days from the one that is shared. */
  from: fc.integer({ min: -2, max: 1 }),
  length: fc.integer({ min: 0, max: 3 }),
})
const anyDay = fc.record({
  revenue: fc.oneof(
    { weight: 1, arbitrary: fc.constant(0n) },
    { weight: 3, arbitrary: fc.bigInt(1n, 1_000n) },
    { weight: 3, arbitrary: fc.bigInt(1n, 10n ** 30n) },
  ),
  holdings: fc.array(anyHolding, { maxLength: 20 }),
  /** How many members are paid at a time. */
  chunk: fc.integer({ min: 1, max: MEMBERS + 1 }),
})
type Holding = (typeof anyHolding extends fc.Arbitrary<infer T> ? T : never) & { fee_ppm: bigint }

/** Removes all power with what paid for it. */
async function clearPower(db: Database): Promise<void> {
  await sql`delete from member_power`.execute(db)
  await sql`delete from power_order`.execute(db)
  await sql`delete from chain_event where action = 'buyPower'`.execute(db)
}

const balances = (db: Database, members: readonly bigint[]): Promise<bigint[]> =>
  Promise.all(members.map(async (id) => (await memberBalances(db, id)).HASH.available))

const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n)

/** Units by plan. */
function unitsByPlan(holdings: readonly Holding[]): { fee_ppm: bigint; units: bigint }[] {
  return FEES.map((fee_ppm) => ({
    fee_ppm,
    units: sum(holdings.filter((holding) => holding.fee_ppm === fee_ppm).map(({ units }) => units)),
  }))
}

test('property: each member is paid the sum of shareOf over the plans, whatever was left over before', async () => {
  await using database = await createTestDatabase()
  const { db } = database
  const plans = await addPlans(db, FEES.map(Number))
  const { first } = await addMembers(db, MEMBERS)
  const members = Array.from({ length: MEMBERS }, (_, nth) => first + BigInt(nth))
  await finalAt(db, startOfDay('2030-01-01'))
  // No member has power on the first day, so its revenue is left over.
  await addClosedDay(db, addDays(FIRST_DAY, -1))
  await addRevenue(db, FIRST_DAY, 7n)
  const open = (day: string) =>
    transaction(db, (tx) => openNextDay(tx, { upTo: day, now: NOW, depth: DEPTH, maxWait_ms: 0 }))
  expect(await open(FIRST_DAY)).toEqual({ opened: FIRST_DAY })
  let day = FIRST_DAY
  let carriedIn = 7n
  await fc.assert(
    fc.asyncProperty(anyDay, async ({ revenue, holdings, chunk }) => {
      day = addDays(day, 1)
      await clearPower(db)
      if (holdings.length > 0) {
        await addPower(
          db,
          holdings.map(({ member, plan, units, from, length }) => ({
            memberId: must(members[member], 'a member of the list'),
            planId: must(plans[plan], 'a plan of the list'),
            units,
            startsOn: addDays(day, from),
            endsOn: addDays(day, from + length),
          })),
        )
      }
      if (revenue > 0n) await addRevenue(db, day, revenue)
      const before = await balances(db, members)
      expect(await open(day)).toEqual({ opened: day })
      while (await transaction(db, (tx) => shareNext(tx, chunk, NOW)));
      const after = await balances(db, members)
      const paid = after.map((balance, nth) => balance - must(before[nth], 'as many balances'))

      const earning = holdings
        .filter(({ from, length }) => from <= 0 && from + length >= 0)
        .map((holding) => ({ ...holding, fee_ppm: must(FEES[holding.plan], 'a fee of the list') }))
      const sharing = { pool: poolOf({ revenue, carriedIn }), totalUnits: sum(earning.map(({ units }) => units)) }
      const expected = members.map((_, nth) =>
        sum(
          unitsByPlan(earning.filter(({ member }) => member === nth)).map(({ fee_ppm, units }) =>
            shareOf(sharing, fee_ppm, units),
          ),
        ),
      )
      const fees = unitsByPlan(earning).map(({ fee_ppm, units }) => serviceFeeOf(sharing, fee_ppm, units))
      // Also when an assertion fails, so that the next run starts from what the database has.
      carriedIn += revenue - sum(paid) - sum(fees)
      expect(paid).toEqual(expected)
    }),
    { numRuns: 60 },
  )
})
