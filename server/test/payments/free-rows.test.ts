import { NATIVE_ASSET } from '@candela/protocol/chain/action-data'
import { DAY_MS, HOUR_MS } from '@candela/protocol/units'
import { startTestChain, type TestChain } from '@candela/testing/chain/test-chain'
import { requestIdNamed } from '@candela/testing/server/request-id-named'
import { systemIds } from '@candela/server/kernel/ids'
import { freeRowGauges } from '@candela/server/modules/power/gauges'
import { getDepositOrder } from '@candela/server/modules/deposit/get-order'
import { WHOLE } from '@candela/server/modules/power/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEPTH, type Scenario, startScenario } from './payments-scenario.ts'

let chain: TestChain
beforeAll(async () => {
  chain = await startTestChain({ atNoon: true })
})
afterAll(() => chain.stop())

const seconds = (ms: number) => ms / 1_000

async function announce({ db, clock, alice, memberOf }: Scenario, name: string, owner = alice): Promise<string> {
  const contracts = { gateway: chain.gateway, usdt: chain.usdt, hash: chain.hash }
  const { deposit } = await getDepositOrder(
    {
      db,
      contracts,
      ids: systemIds(clock),
      chainLimits: { maxHeadAge_s: Infinity, maxLag_blocks: Number.MAX_SAFE_INTEGER },
    },
    { asset: 'JU', amount: WHOLE, requestId: requestIdNamed(name, clock.now()) },
    { memberId: memberOf(owner), now: clock.now() },
  )
  return deposit.depositNo ?? ''
}
const payJu = (scenario: Scenario, key: 'deposit' | 'buyPower', reference: string) =>
  chain.pay({ key, asset: NATIVE_ASSET, amount: WHOLE, customer: scenario.alice, reference, from: scenario.alice })

async function settle(scenario: Scenario): Promise<void> {
  await scenario.mineAndFollow(DEPTH)
  while ((await scenario.credit()).credited > 0);
}
async function freeRows({ db }: Scenario): Promise<number> {
  const gauge = freeRowGauges(db).find(({ name }) => name === 'candela_free_rows')
  return Number(await gauge?.read())
}
async function left({ db }: Scenario) {
  const orders = await db.selectFrom('power_order').select('order_no').orderBy('id').execute()
  const deposits = await db.selectFrom('deposit').select('deposit_no').orderBy('id').execute()
  return { orders: orders.map((row) => row.order_no), deposits: deposits.map((row) => row.deposit_no) }
}

test('what nobody paid and the notices of old devices go 30 days after nothing is waited for, and what comes later is not lost', async () => {
  await using scenario = await startScenario(chain)
  const { db, clock, alice, memberOf } = scenario
  // The chain of the test leaps; none of that is a standstill, which would give everybody its time back.
  await db
    .insertInto('setting')
    .values({ key: 'standstillMinutes', value: '525600', updated_at: clock.now() })
    .execute()
  const device = { member_id: memberOf(alice), params: JSON.stringify({ userAgent: 'test' }), at: clock.now() }
  for (const kind of ['newDevice', 'powerExpired'])
    await db
      .insertInto('notice')
      .values({ ...device, kind, source: kind })
      .execute()
  const [unpaid, named] = [await scenario.order(), await scenario.order()]
  const bought = await scenario.order()
  await scenario.payExactly(bought)
  const [lapsed, kept, paid] = [
    await announce(scenario, 'lapses'),
    await announce(scenario, 'is named'),
    await announce(scenario, 'is paid'),
  ]
  await payJu(scenario, 'deposit', paid)
  await settle(scenario)
  // Two orders, two announcements, one notice: what was paid costs something.
  expect(await freeRows(scenario)).toBe(5)
  await scenario.wait(900 + 60)
  expect(await scenario.sweep()).toBe(2)

  const nothing = { orders: 0, notices: 0 }
  await scenario.wait(seconds(DAY_MS + 30 * DAY_MS - HOUR_MS))
  expect(await scenario.sweepFree()).toMatchObject(nothing)
  expect((await left(scenario)).orders).toHaveLength(3)
  // Payments that name one of each are on chain and not decided yet.
  await payJu(scenario, 'buyPower', named.order.orderNo)
  await payJu(scenario, 'deposit', kept)
  await scenario.wait(seconds(2 * HOUR_MS))
  expect(await scenario.sweepFree()).toMatchObject({ orders: 1, notices: 0 })
  expect(await left(scenario)).toEqual({
    orders: [named.order.orderNo, bought.order.orderNo],
    deposits: [kept, paid],
  })
  await settle(scenario)
  expect(await scenario.sweepFree()).toMatchObject({ orders: 1, announcements: 0 })
  expect((await left(scenario)).orders).toEqual([bought.order.orderNo])

  // Paid after they are gone, the money is on the balance all the same.
  const before = await scenario.available(alice, 'JU')
  await payJu(scenario, 'buyPower', unpaid.order.orderNo)
  await payJu(scenario, 'deposit', lapsed)
  await settle(scenario)
  expect(await scenario.available(alice, 'JU')).toBe(before + 2n * WHOLE)
  await scenario.wait(seconds(30 * DAY_MS))
  expect(await scenario.sweepFree()).toMatchObject({ orders: 0, notices: 1 })
  const notices = await db
    .selectFrom('notice')
    .select('source')
    .where('source', 'in', ['newDevice', 'powerExpired'])
    .execute()
  expect(notices).toEqual([{ source: 'powerExpired' }])
  expect(await freeRows(scenario)).toBe(0)
  await scenario.expectBooksToMatchTheChain()
})

test('orders and announcements count into the free commands of a day, also of calls at once; a repetition and what was refused do not', async () => {
  await using scenario = await startScenario(chain)
  const { db, clock, alice, bob, memberOf } = scenario
  const isDailyLimit = { code: 4212, params: { limit: 6 } }
  await db.insertInto('setting').values({ key: 'freeCommandsPerDay', value: '6', updated_at: clock.now() }).execute()
  expect(await announce(scenario, 'first')).toBe(await announce(scenario, 'first'))
  await db.insertInto('setting').values({ key: 'openOrders', value: '1', updated_at: clock.now() }).execute()
  await scenario.order()
  await expect(scenario.order()).rejects.toMatchObject({ code: 429 })
  await db.updateTable('setting').set({ value: '20' }).where('key', '=', 'openOrders').execute()
  const names = ['1', '2', '3', '4', '5', '6']
  const calls = await Promise.allSettled([
    ...names.map((name) => announce(scenario, name)),
    ...names.map(() => scenario.order()),
  ])
  const reasons = calls.flatMap((call) => (call.status === 'rejected' ? [call.reason as unknown] : []))
  expect(reasons).toEqual(Array.from({ length: 8 }, () => expect.objectContaining(isDailyLimit)))
  const made = await left(scenario)
  expect(made.orders.length + made.deposits.length).toBe(6)
  // Others have a number of their own, and the next day has another.
  await announce(scenario, 'of another', bob)
  await scenario.wait(seconds(DAY_MS))
  await announce(scenario, 'of the next day')
  const counted = await db.selectFrom('free_command').select(['member_id', 'made']).execute()
  expect(new Map(counted.map(({ member_id, made: count }) => [member_id, count]))).toEqual(
    new Map([
      [memberOf(alice), 1],
      [memberOf(bob), 1],
    ]),
  )
})
