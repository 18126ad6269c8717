import { shareOf } from '@candela/protocol/money/income'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Database } from '../../db/open.ts'
import { createTestDatabase } from '@candela/testing/postgres/test-database'
import { fakeClock } from '../../kernel/clock.ts'
import { auditLedger } from '../../ledger/audit.ts'
import { accountBalance, memberBalances } from '../../ledger/balances.ts'
import { platformAccount } from '../../ledger/chart.ts'
import { addDays, startOfDay } from '@candela/protocol/calendar'
import { closeDays } from './close-days.ts'
import { firstOpenDay } from './open-day.ts'
import { addClosedDay, addMembers, addPlans, addPower, addRevenue, DEPTH, finalAt } from './testing.ts'

const D1 = '2026-03-01'
const [D2, D3, D4] = [addDays(D1, 1), addDays(D1, 2), addDays(D1, 3)] as [string, string, string]
const WHOLE = 10n ** 18n

async function setUp({ members = 3, fees = [50_000, 80_000] } = {}) {
  const database = await createTestDatabase()
  const { db } = database
  const clock = fakeClock('2026-03-10T00:20:00Z')
  const plans = await addPlans(db, fees)
  const { first } = await addMembers(db, members)
  await finalAt(db, clock.now())
  const member = (nth: number) => first + BigInt(nth)
  return {
    db,
    clock,
    url: database.url,
    plan: (nth: number) => plans[nth] as bigint,
    member,
    power: (nth: number, planNth: number, units: number, from = D1, to = D4) =>
      addPower(db, [
        { memberId: member(nth), planId: plans[planNth] as bigint, units: BigInt(units), startsOn: from, endsOn: to },
      ]),
    close: (upTo: string, chunk = 2) => closeDays({ db, clock, depth: DEPTH, chunk }, upTo),
    paid: async (nth: number) => (await memberBalances(db, member(nth))).HASH.available,
    day: (day: string) => db.selectFrom('income_day').selectAll().where('day', '=', day).executeTakeFirstOrThrow(),
    [Symbol.asyncDispose]: () => database.drop(),
  }
}

const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n)

/** The pool holds what is left over and what no day has counted; the journal is sound. */
async function expectSound(db: Database): Promise<void> {
  expect(await auditLedger(db)).toEqual([])
  const days = await db.selectFrom('income_day').selectAll().orderBy('day').execute()
  const deposits = await db
    .selectFrom('chain_event as e')
    .leftJoin('income_deposit as i', 'i.chain_event_id', 'e.id')
    .select(['e.amount', 'i.day'])
    .where('e.action', '=', 'revenue')
    .execute()
  const uncounted = sum(deposits.flatMap(({ day, amount }) => (day === null ? [amount] : [])))
  let carried = 0n
  for (const day of days) {
    expect(day.carried_in).toBe(carried)
    expect(day.revenue).toBe(sum(deposits.flatMap((deposit) => (deposit.day === day.day ? [deposit.amount] : []))))
    carried = day.revenue + day.carried_in - day.fee - day.paid
    expect(carried).toBeGreaterThanOrEqual(0n)
  }
  expect(await accountBalance(db, platformAccount('revenuePool', 'HASH'))).toBe(carried + uncounted)
  expect(await accountBalance(db, platformAccount('fees', 'HASH'))).toBe(sum(days.map(({ fee }) => fee)))
}

describe('sharing a day', () => {
  test('each member gets the floor of the published formula, the fees go to the platform, the rest is carried', async () => {
    await using fixture = await setUp()
    await fixture.power(0, 0, 1)
    await fixture.power(0, 1, 2)
    await fixture.power(1, 0, 4)
    await addRevenue(fixture.db, D1, 100n)
    expect(await fixture.close(D1)).toEqual({ closed: [D1], waits: null })
    const sharing = { pool: 100n, totalUnits: 7n }
    expect(await fixture.paid(0)).toBe(shareOf(sharing, 50_000n, 1n) + shareOf(sharing, 80_000n, 2n))
    expect(await fixture.paid(1)).toBe(54n)
    expect(await fixture.paid(2)).toBe(0n)
    expect(await fixture.day(D1)).toMatchObject({ revenue: 100n, total_units: 7n, fee: 5n, paid: 93n, accounts: 2n })
    await addRevenue(fixture.db, D2, 50n)
    await fixture.close(D2)
    expect(await fixture.day(D2)).toMatchObject({ revenue: 50n, carried_in: 2n })
    await expectSound(fixture.db)
  })

  test('the first day to close is the first that had power; what came for a day before it counts there', async () => {
    await using fixture = await setUp({ fees: [0] })
    await addRevenue(fixture.db, addDays(D2, -30), 5n)
    expect(await fixture.close(D3)).toEqual({ closed: [], waits: null })
    await fixture.power(0, 0, 1, D2)
    expect((await fixture.close(D3)).closed).toEqual([D2, D3])
    expect(await fixture.day(D2)).toMatchObject({ revenue: 5n, paid: 5n })
    await expectSound(fixture.db)
  })

  test('no income without revenue', async () => {
    await using fixture = await setUp()
    await fixture.power(0, 0, 10)
    // The remainder of before is not paid on a day of its own.
    await addRevenue(fixture.db, D1, 7n)
    expect(await fixture.close(D3)).toEqual({ closed: [D1, D2, D3], waits: null })
    const before = await fixture.paid(0)
    expect(await fixture.day(D2)).toMatchObject({ revenue: 0n, fee: 0n, paid: 0n, accounts: 0n, carried_in: 1n })
    expect(await fixture.day(D3)).toMatchObject({ revenue: 0n, paid: 0n, carried_in: 1n })
    expect(before).toBe(6n)
    // And nobody can book more than came in: the pool has a floor.
    await expectSound(fixture.db)
  })

  test('power counts on its first and on its last day, also when it has expired before the close', async () => {
    await using fixture = await setUp()
    await fixture.power(0, 0, 1, D2, D3)
    await fixture.db.updateTable('power_order').set({ state: 'expired' }).execute()
    await addClosedDay(fixture.db, addDays(D1, -1))
    for (const day of [D1, D2, D3, D4]) await addRevenue(fixture.db, day, WHOLE)
    await fixture.close(D4)
    const days = await fixture.db
      .selectFrom('income_day')
      .select(['day', 'total_units', 'paid'])
      .where('day', '>=', D1)
      .orderBy('day')
      .execute()
    expect(days.map(({ day, total_units }) => [day, total_units])).toEqual([
      [D1, 0n],
      [D2, 1n],
      [D3, 1n],
      [D4, 0n],
    ])
    // No member had power on the first day: its revenue waits for the next.
    expect(days[1]?.paid).toBe((2n * WHOLE * 95n) / 100n)
    expect(await fixture.paid(0)).toBe((3n * WHOLE * 95n) / 100n)
    await expectSound(fixture.db)
  })

  test('a deposit for a day that is closed counts for the next open one', async () => {
    await using fixture = await setUp({ fees: [0] })
    await fixture.power(0, 0, 1)
    await fixture.close(D2)
    await addRevenue(fixture.db, D1, 5n)
    await addRevenue(fixture.db, D3, 6n)
    await addRevenue(fixture.db, D4, 100n)
    await fixture.close(D3)
    expect(await fixture.day(D3)).toMatchObject({ revenue: 11n, paid: 11n })
    expect(await firstOpenDay(fixture.db)).toBe(D4)
    await expectSound(fixture.db)
  })

  test('closing again, and several at once, pay nothing more', async () => {
    await using fixture = await setUp({ members: 40, fees: [0] })
    for (let nth = 0; nth < 40; nth++) await fixture.power(nth, 0, nth + 1)
    await addRevenue(fixture.db, D1, 820n * 7n)
    await addRevenue(fixture.db, D2, 820n * 3n)
    const runs = await Promise.all(Array.from({ length: 6 }, () => fixture.close(D2, 7)))
    expect(runs.flatMap(({ closed }) => closed).toSorted()).toEqual([D1, D2])
    expect(await fixture.close(D2)).toEqual({ closed: [], waits: null })
    for (let nth = 0; nth < 40; nth++) expect(await fixture.paid(nth)).toBe(BigInt(nth + 1) * 10n)
    expect(await fixture.day(D2)).toMatchObject({ accounts: 40n, paid: 820n * 3n })
    await expectSound(fixture.db)
  })
})

describe('waiting', () => {
  test('a day closes only when its blocks are final and nothing of it is confirming', async () => {
    await using fixture = await setUp()
    const { db } = fixture
    await fixture.power(0, 0, 1)
    await finalAt(db, new Date(startOfDay(D2).getTime() - 1_000))
    expect(await fixture.close(D1)).toEqual({ closed: [], waits: 'the blocks of the day are not final yet' })
    await finalAt(db, startOfDay(D2))
    const deposit = await addRevenue(db, D1, 10n, startOfDay(D2))
    const state = (confirming: boolean) =>
      db
        .updateTable('chain_event')
        .set(
          confirming
            ? { state: 'recorded', outcome: null, credited_at: null }
            : { state: 'credited', outcome: 'revenue', credited_at: startOfDay(D2) },
        )
        .where('id', '=', deposit)
        .execute()
    await state(true)
    expect((await fixture.close(D1)).waits).toBe('payments that belong to the day are still confirming')
    await state(false)
    await db.updateTable('chain_cursor').set({ halted_reason: 'a reorganisation' }).execute()
    expect((await fixture.close(D1)).waits).toBe('crediting has stopped')
    await db.updateTable('chain_cursor').set({ halted_reason: null }).execute()
    expect(await fixture.close(D1)).toEqual({ closed: [D1], waits: null })
    expect(await fixture.day(D1)).toMatchObject({ revenue: 10n })
  })
})

test('deposits of tiny amounts, sent again and again, do not hold a day open for ever', async () => {
  await using fixture = await setUp()
  const { db, clock } = fixture
  await fixture.power(0, 0, 1)
  const late = await addRevenue(db, D1, 1n, new Date(startOfDay(D2).getTime() + 5_000))
  const recorded = { state: 'recorded', outcome: null, credited_at: null } as const
  await db.updateTable('chain_event').set(recorded).where('id', '=', late).execute()
  const close = (maxWait_ms: number) => closeDays({ db, clock, depth: DEPTH, maxWait_ms }, D1)
  expect((await close(5_001)).waits).toBe('payments that belong to the day are still confirming')
  expect(await close(5_000)).toEqual({ closed: [D1], waits: null })
  const credited = { state: 'credited', outcome: 'revenue', credited_at: clock.now() } as const
  await db.updateTable('chain_event').set(credited).where('id', '=', late).execute()
  await fixture.close(D2)
  expect(await fixture.day(D2)).toMatchObject({ revenue: 1n })
})

test('whatever is shared among whomever: paid, fee and carried are exactly what came in, and more units never earn less', async () => {
  await using fixture = await setUp({ members: 12, fees: [0, 50_000, 333_333, 999_999, 1_000_000] })
  await finalAt(fixture.db, startOfDay('2027-01-01'))
  await addClosedDay(fixture.db, addDays(D1, -1))
  await addRevenue(fixture.db, D1, 1n)
  await fixture.close(D1)
  let day = D2
  const holding = fc.record({ member: fc.nat(11), plan: fc.nat(4), units: fc.integer({ min: 1, max: 1_000_000 }) })
  const amount = fc.oneof(fc.bigInt(0n, 1_000n), fc.bigInt(0n, 10n ** 30n))
  await fc.assert(
    fc.asyncProperty(fc.array(holding, { maxLength: 15 }), amount, async (holdings, revenue) => {
      const rows = holdings.map(({ member, plan, units }) => ({
        memberId: fixture.member(member),
        planId: fixture.plan(plan),
        units: BigInt(units),
        startsOn: day,
        endsOn: day,
      }))
      if (rows.length > 0) await addPower(fixture.db, rows)
      if (revenue > 0n) await addRevenue(fixture.db, day, revenue)
      const before = await Promise.all(Array.from({ length: 12 }, (_, nth) => fixture.paid(nth)))
      await fixture.close(day, 5)
      const after = await Promise.all(Array.from({ length: 12 }, (_, nth) => fixture.paid(nth)))
      const closed = await fixture.day(day)
      const fees = await fixture.db.selectFrom('income_day_plan').selectAll().where('day', '=', day).execute()
      const gained = after.map((balance, nth) => balance - (before[nth] as bigint))
      expect(gained.reduce((all, each) => all + each, 0n)).toBe(closed.paid)
      const pool = closed.revenue === 0n ? 0n : closed.revenue + closed.carried_in
      const expected = gained.map((_, nth) => {
        const own = new Map<bigint, bigint>()
        for (const row of rows.filter(({ memberId }) => memberId === fixture.member(nth)))
          own.set(row.planId, (own.get(row.planId) ?? 0n) + row.units)
        return [...own].reduce((all, [planId, units]) => {
          const fee = BigInt(fees.find(({ plan_id }) => plan_id === planId)?.fee_ppm ?? 0)
          return all + shareOf({ pool, totalUnits: closed.total_units }, fee, units)
        }, 0n)
      })
      expect(gained).toEqual(expected)
      // The remainder is rounding only, wherever somebody had power.
      const left = closed.revenue + closed.carried_in - closed.fee - closed.paid
      expect(left).toBeGreaterThanOrEqual(0n)
      if (closed.total_units > 0n && pool > 0n) expect(left).toBeLessThanOrEqual(BigInt(rows.length + fees.length))
      day = addDays(day, 1)
    }),
    { numRuns: 25 },
  )
  await expectSound(fixture.db)
})

test('more units never earn less, and less fee never earns less', () => {
  const units = fc.bigInt(0n, 10n ** 9n)
  fc.assert(
    fc.property(fc.bigInt(0n, 10n ** 40n), fc.bigInt(0n, 10n ** 6n), units, units, (pool, fee, one, more) => {
      const sharing = { pool, totalUnits: one + more + 1n }
      expect(shareOf(sharing, fee, one + more)).toBeGreaterThanOrEqual(shareOf(sharing, fee, one))
      expect(shareOf(sharing, fee / 2n, one)).toBeGreaterThanOrEqual(shareOf(sharing, fee, one))
      // No member is better off by splitting up.
      expect(shareOf(sharing, fee, one) + shareOf(sharing, fee, more)).toBeLessThanOrEqual(
        shareOf(sharing, fee, one + more),
      )
    }),
  )
})
