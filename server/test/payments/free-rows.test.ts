import { NATIVE_ASSET } from '@candela/protocol/chain/action-data'
import { DAY_MS, HOUR_MS } from '@candela/protocol/units'
import { startTestChain, type TestChain } from '@candela/testing/chain/test-chain'
import { requestIdNamed } from '@candela/testing/server/request-id-named'
import { systemIds } from '@candela/server/kernel/ids'
import { memberGauges } from '@candela/server/main/gauges/member-gauges'
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

async function announce({ db, clock, alice, memberOf }: Scenario, name: string): Promise<string> {
  const contracts = { gateway: chain.gateway, usdt: chain.usdt, hash: chain.hash }
  const { deposit } = await getDepositOrder(
    { db, contracts, ids: systemIds(clock), isChainBehind: () => Promise.resolve(false) },
    { asset: 'JU', amount: WHOLE, requestId: requestIdNamed(name, clock.now()) },
    { memberId: memberOf(alice), now: clock.now() },
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
  const gauge = memberGauges(db).find(({ name }) => name === 'candela_free_rows')
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
