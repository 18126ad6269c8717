import { DEFAULT_PAGE_LIMIT } from '@candela/protocol/page'
import { recomputeIncome } from '@candela/protocol/money/recompute-income'
import { startTestChain, type TestChain } from '@candela/testing/chain/test-chain'
import { transaction } from '@candela/server/db/open'
import { auditLedger } from '@candela/server/ledger/audit'
import { addDays, utcDay } from '@candela/protocol/calendar'
import { closeDays } from '@candela/server/modules/income/close-days'
import { listIncomes } from '@candela/server/modules/income/list-incomes'
import { readDay, readLastDay } from '@candela/server/modules/income/read-day'
import { readDaily } from '@candela/server/modules/income/read-daily'
import { WHOLE } from '@candela/server/modules/power/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEPTH, startScenario } from './payments-scenario.ts'

let chain: TestChain
beforeAll(async () => {
  chain = await startTestChain({ atNoon: true })
})
afterAll(() => chain.stop())

const DAY_S = 86_400

/** The scenario with Alice invited by Bob, her order paid, and the chain in the middle of the day that it earns on. */
async function startWithPower() {
  const scenario = await startScenario(chain)
  const { db, alice, bob } = scenario
  await db
    .updateTable('member')
    .set({ inviter_id: scenario.memberOf(bob) })
    .where('address', '=', alice)
    .execute()
  await scenario.payExactly(await scenario.order('USDT'))
  await scenario.mineAndFollow(DEPTH)
  await scenario.credit()
  const day = addDays(utcDay(scenario.clock.now()), 1)
  await scenario.wait(DAY_S)
  return {
    ...scenario,
    day,
    revenue: (forDay: string, amount: bigint) =>
      chain.pay({ key: 'revenue', asset: chain.hash, reference: forDay, amount, from: scenario.stranger }),
    close: (upTo: string) => closeDays({ db, clock: scenario.clock, depth: DEPTH, chunk: 1 }, upTo),
    incomes: (of: typeof alice, type?: 'output' | 'referral') =>
      listIncomes(db, scenario.memberOf(of), { type, limit: DEFAULT_PAGE_LIMIT }),
    daily: (of: typeof alice) => readDaily(db, scenario.memberOf(of), 30, scenario.clock.now()),
  }
}

test('revenue from the chain to the income card: everything agrees, and the inviter has 5 % of the purchase', async () => {
  await using scenario = await startWithPower()
  const { db, day, alice, bob } = scenario
  const txHash = await scenario.revenue(day, 1_000n * WHOLE + 7n)
  await scenario.mineAndFollow()
  // Not over, then not final, then confirming: it waits.
  expect((await scenario.close(day)).waits).toBe('the blocks of the day are not final yet')
  await scenario.wait(DAY_S)
  await scenario.mineAndFollow(DEPTH)
  expect((await scenario.close(day)).waits).toBe('payments that belong to the day are still confirming')
  await scenario.credit()
  expect(await scenario.close(day)).toEqual({ closed: [day], waits: null })

  const { items } = await scenario.incomes(alice)
  const { items: daily } = await scenario.daily(alice)
  expect(items).toMatchObject([{ type: 'output', asset: 'HASH', day, units: [{ units: 4 }] }])
  const figures = await readDay(db, day)
  expect(figures.deposits).toMatchObject([{ txHash, forDay: day, amount: '1000.000000000000000007' }])
  const [income] = items
  if (income === undefined) throw new Error('there is an income')
  expect(recomputeIncome(figures, income)).toMatchObject({
    disagreements: [],
    total: await scenario.available(alice, 'HASH'),
  })
  expect(daily).toHaveLength(30)
  expect(daily.at(-1)).toEqual({ day, amount: income.amount, closed: true })
  expect(await readLastDay(db)).toMatchObject({ day, totalUnits: 4n })

  const reward = await scenario.incomes(bob)
  expect(reward.items).toMatchObject([{ type: 'referral', asset: 'USDT', amount: '5', day: null, units: [] }])
  expect((await scenario.incomes(bob, 'output')).items).toEqual([])
  expect((await scenario.incomes(alice, 'referral')).items).toEqual([])
  expect(await scenario.platform('referralExpense', 'USDT')).toBe(-5n * WHOLE)
  expect(await auditLedger(db)).toEqual([])
  await scenario.expectBooksToMatchTheChain()
})

test('a stranger’s revenue is a gift, and cannot stop, move or prolong the close', async () => {
  await using scenario = await startWithPower()
  const { db, day, alice } = scenario
  const hostile = ['0000-01-01', '0001-01-01', '9999-12-31', addDays(day, 60), addDays(day, -60), '2026-02-30', '-1']
  for (const reference of hostile) await scenario.revenue(reference, WHOLE)
  await scenario.revenue(addDays(day, -20), 1_000n)
  await scenario.revenue(day, 1_000n)
  await scenario.wait(DAY_S)
  await scenario.mineAndFollow(DEPTH)
  await scenario.credit()
  // The stranger has no account: what is for no day is kept for its owner.
  expect(await scenario.platform('suspense', 'HASH')).toBe(BigInt(hostile.length) * WHOLE)
  expect(await scenario.close(day)).toEqual({ closed: [day], waits: null })
  expect(await readDay(db, day)).toMatchObject({ revenue: '0.000000000000002', carriedIn: '0' })
  expect(await scenario.available(alice, 'HASH')).toBeGreaterThan(1_800n)
  expect(await auditLedger(db)).toEqual([])
  await scenario.expectBooksToMatchTheChain()
})

test('power whose payment is settled after its first day was shared starts on the next open one, for its whole term', async () => {
  await using scenario = await startWithPower()
  const { db, day, alice } = scenario
  const late = await scenario.order('USDT')
  await scenario.payExactly(late)
  await scenario.mineAndFollow(DEPTH)
  // Set aside by a fault, as long as two days are being closed.
  await db
    .updateTable('chain_event')
    .set({ failures: 1, last_failure: 'a fault', retry_at: scenario.clock.now() })
    .where('state', '=', 'recorded')
    .execute()
  await scenario.wait(3 * DAY_S)
  await scenario.mineAndFollow(DEPTH)
  await transaction(db, (tx) =>
    tx
      .updateTable('chain_event')
      .set({ retry_at: new Date('2100-01-01') })
      .where('failures', '>', 0)
      .execute(),
  )
  await scenario.credit()
  expect((await scenario.close(addDays(day, 2))).closed).toEqual([day, addDays(day, 1), addDays(day, 2)])
  await db.updateTable('chain_event').set({ retry_at: scenario.clock.now() }).where('failures', '>', 0).execute()
  await scenario.credit()
  const order = await scenario.orderNow(late, alice)
  expect(order).toMatchObject({ state: 'active', startsOn: addDays(day, 3), endsOn: addDays(day, 32) })
  expect(await auditLedger(db)).toEqual([])
})
