import { addDays } from '@candela/protocol/calendar'
import { toBaseUnits } from '@candela/protocol/money/money'
import { observedPair } from '@candela/server/chain/price/testing'
import { refused } from '@candela/testing/server/refused'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { auditLoans } from '@candela/server/modules/lending/loan/audit-loans'
import { foldLeverTotal } from '@candela/server/modules/lending/project/ceiling'
import { getOverview } from '@candela/server/modules/home/overview'
import { FIRST_DAY, type Scenario, startLending, WHOLE } from '../lending-scenario.ts'

const HOUR_S = 3_600

const set = (lending: Scenario, key: string, value: number) =>
  lending.db
    .insertInto('setting')
    .values({ key, value: String(value), updated_at: lending.clock.now() })
    .execute()

const openLever = async (lending: Scenario, memberId: bigint, margin: bigint, ratio: number) => {
  const input = { asset: 'JU' as const, margin: margin * WHOLE, ratio, days: 30, minBought: 1n, acceptWarning: true }
  return (
    await lending.handlers['POST lever/open']({ ...input, requestId: lending.requestId() }, lending.contextOf(memberId))
  ).loan
}

test('a fifth of the depth is lent on a collateral, a fifth of that to one member, by projects and leveraged loans together', async () => {
  await using lending = await startLending()
  const { alice, bob, handlers, contextOf, projectNo } = lending
  // 1,000 in all, 200 for one member.
  lending.rates.JU.liquidity = 5_000n * WHOLE
  await set(lending, 'deskHourBps', 10_000)
  const quote = (amount: bigint, memberId = alice) =>
    handlers['GET lending/quote']({ projectNo, amount: amount * WHOLE, days: 30 }, contextOf(memberId))
  expect(await refused(quote(201n))).toBe(4301)
  expect(await refused(quote(200n))).toBe('accepted')
  expect(await refused(lending.borrow(alice, 201n, 1_000n))).toBe(4301)
  const { loanNo } = await lending.borrow(alice, 150n, 1_000n)
  // Another project on the same asset, and a leveraged loan, are under the same ceiling; HASH has its own.
  const other = await lending.openProject()
  expect(await refused(lending.borrow(alice, 51n, 1_000n, { project: other }))).toBe(4301)
  expect(await refused(openLever(lending, alice, 26n, 30))).toBe(4301)
  expect(await refused(openLever(lending, alice, 25n, 30))).toBe('accepted')
  expect(await refused(lending.borrow(alice, 10n, 100n))).toBe(4301)
  expect(await refused(lending.borrow(alice, 500n, 9_000n, { project: lending.hashProjectNo }))).toBe('accepted')
  const options = await handlers['GET lever/options']({}, contextOf(bob))
  expect(options.assets[0]).toMatchObject({ asset: 'JU', ceilingLeft: '200', maxRatio: '4' })
  for (let nth = 0; nth < 4; nth += 1) await lending.borrow(await lending.join({ JU: 1_000n }), 200n, 1_000n)
  // 1,000 are lent: nothing is left for anybody, until somebody repays.
  expect(await refused(lending.borrow(bob, 10n, 1_000n))).toBe(4301)
  expect(await refused(openLever(lending, bob, 10n, 20))).toBe(4301)
  const { project } = await handlers['GET project/detail']({ projectNo }, contextOf(bob))
  expect(project).toMatchObject({
    available: '0',
    ceiling: { depth: '5000', all: '1000', member: '200', owed: '1000' },
  })
  const home = await getOverview(lending.db, {
    memberId: bob,
    now: lending.clock.now(),
  })
  // Only HASH is left to borrow on: 10,000 at 0.5, of which 40 %.
  expect(home.creditLimit).toBe('2000')
  await lending.repay(alice, loanNo, 'amount', '100')
  expect(await refused(lending.borrow(bob, 101n, 1_000n))).toBe(4301)
  expect(await refused(lending.borrow(bob, 99n, 1_000n))).toBe('accepted')
  await lending.expectSound()
})

test('of many at once no more is lent than the ceiling', async () => {
  await using lending = await startLending({ poolSize: 16 })
  lending.rates.JU.liquidity = 5_000n * WHOLE
  await set(lending, 'deskHourBps', 10_000)
  const other = await lending.openProject()
  const members = await Promise.all(Array.from({ length: 12 }, () => lending.join({ JU: 1_000n, USDT: 1_000n })))
  const answers = await Promise.all(
    members.map((memberId, nth) =>
      refused(
        nth % 3 === 0
          ? openLever(lending, memberId, 150n, 20)
          : lending.borrow(memberId, 150n, 1_000n, nth % 3 === 1 ? {} : { project: other }),
      ),
    ),
  )
  expect(answers.filter((answer) => answer === 'accepted')).toHaveLength(6)
  expect(answers.filter((answer) => answer === 4301)).toHaveLength(6)
  await lending.expectSound()
})

test('what leveraged loans owe is a sum that is kept, whatever becomes of them, and a wrong one is found', async () => {
  await using lending = await startLending()
  const { alice, bob, db, handlers, contextOf } = lending
  const sums = async () => {
    const { rows } = await sql<{ sum: bigint }>`
      select sum(change) as sum from lever_total group by collateral_asset order by collateral_asset`.execute(db)
    return rows.map((row) => row.sum / WHOLE)
  }
  const { loanNo } = await openLever(lending, alice, 100n, 30)
  const close = (percent: number) =>
    handlers['POST lever/close']({ loanNo, percent, minProceeds: 1n, requestId: lending.requestId() }, contextOf(alice))
  await openLever(lending, bob, 50n, 20)
  expect(await sums()).toEqual([250n])
  await Promise.all([foldLeverTotal(db), close(50), foldLeverTotal(db)])
  const half = (await sums())[0]
  expect(half).toBeLessThan(250n)
  await lending.closeDay(FIRST_DAY)
  await close(100)
  await Promise.all([foldLeverTotal(db), foldLeverTotal(db)])
  expect(await sums()).toEqual([50n])
  expect(await db.selectFrom('lever_total').selectAll().execute()).toHaveLength(1)
  await lending.expectSound()
  await db.insertInto('lever_total').values({ collateral_asset: 'HASH', change: 1n }).execute()
  expect(await auditLoans(db)).toEqual([
    {
      rule: 'leveraged loans agree with their total',
      subject: 'leveraged loans on HASH',
      details: 'owe -1 more than their total',
    },
  ])
})

test('on a pair that is observed for less than seven days nothing is lent', async () => {
  await using lending = await startLending({ observed: true })
  const pair = observedPair(lending.db, { start: `${FIRST_DAY}T12:00:00.000Z` })
  const pass = async (hours: number) => {
    for (let passed = 0; passed < hours; passed += 1) await pair.observeAfter(HOUR_S)
    lending.clock.set(pair.now().toISOString())
  }
  await pair.observe()
  await pass(7 * 24 - 1)
  expect(await refused(lending.borrow(lending.alice, 10n, 1_000n))).toBe(4301)
  expect(await refused(openLever(lending, lending.alice, 10n, 20))).toBe(4301)
  await pass(1)
  expect(await refused(lending.borrow(lending.alice, 10n, 1_000n))).toBe('accepted')
  await set(lending, 'debtCeilingBps', 0)
  expect(await refused(lending.borrow(lending.alice, 10n, 1_000n))).toBe(4301)
})

test('a price that is walked up for three days without a pause lends no more than what the pledge was worth before', async () => {
  await using lending = await startLending({ observed: true, fund: 1_000_000n })
  const pair = observedPair(lending.db, { start: `${addDays(FIRST_DAY, -8)}T12:00:00.000Z` })
  await pair.observe()
  for (let hours = 0; hours < 8 * 24; hours += 1) await pair.observeAfter(HOUR_S)
  let price = 1_000
  let isPaused = false
  for (let steps = 0; steps < 3 * 48; steps += 1) {
    price *= 1.0075
    pair.trade(price)
    await pair.observeAfter(HOUR_S / 4)
    isPaused ||= (await pair.observeAfter(HOUR_S / 4)).paused
  }
  lending.clock.set(pair.now().toISOString())
  expect(isPaused).toBe(false)
  expect(price).toBeGreaterThan(2_900)
  const whale = await lending.join({ JU: 1_000_000n })
  const quote = await lending.handlers['GET lending/quote'](
    { projectNo: lending.projectNo, amount: 10_000n * WHOLE, days: 30 },
    lending.contextOf(whale),
  )
  // Half of the price that counts is lent, and 1 is what it is worth.
  const counted = toBaseUnits(quote.price.used)
  expect(counted).toBe(toBaseUnits(quote.price.weekAverage ?? '0'))
  expect(counted / 2n).toBeLessThan(WHOLE)
  // And on whatever it pledges at whatever price, at most 4 % of the million that the pair held.
  expect(await refused(lending.borrow(whale, 40_001n, 900_000n))).toBe(4301)
  expect(await refused(lending.borrow(whale, 40_000n, 900_000n))).toBe('accepted')
})

test('the greatest ratio of a leveraged loan is that with which it would not begin at its clearing line', async () => {
  await using lending = await startLending()
  await set(lending, 'deskHourBps', 10_000)
  const most = async () =>
    (await lending.handlers['GET lever/options']({}, lending.contextOf(lending.alice))).assets[0]?.maxRatio
  lending.rates.JU = { ...lending.rates.JU, average: 1_900, average5: 1_900, day: 1_600 }
  // 90 % of what 3.5 times buy at 2 and count at 1.6 are 251.3 of 250 and their first day.
  expect(await most()).toBe('3.5')
  expect(await refused(openLever(lending, lending.alice, 100n, 36))).toBe(4301)
  expect(await refused(openLever(lending, lending.alice, 100n, 35))).toBe('accepted')
  lending.rates.JU = { ...lending.rates.JU, day: 1_000 }
  expect(await most()).toBeNull()
  lending.rates.JU.pauseReason = 'halted'
  expect(await most()).toBeNull()
})
