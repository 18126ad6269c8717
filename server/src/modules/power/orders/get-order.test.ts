import { requestIdNamed } from '@candela/testing/server/request-id-named'
import { powerEndpoints } from '@candela/protocol/endpoints/power'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'
import { withFixedPrices } from '../../../chain/price/testing/fixed-prices.ts'
import { transaction } from '../../../db/open.ts'
import { fakeClock } from '../../../kernel/clock.ts'
import { systemIds } from '../../../kernel/ids.ts'
import { cancelUnpaidOrders } from './cancel-unpaid-orders.ts'
import { getOrder, type GetOrderDeps } from './get-order.ts'
import { closePlan } from '../plans/manage-plans.ts'
import { addMember, addPlan, addressOf, followTo, NOW, unitsLeft, WHOLE } from '../testing.ts'

let database: TestDatabase
let deps: GetOrderDeps
let memberId: bigint
let nextAddress = 100
let juPrice: bigint | null
/** The time of the last call. */
let asked = NOW
const chainLimits = { maxHeadAge_s: Infinity, maxLag_blocks: 0 }
const goBehind = (): void => void Object.assign(chainLimits, { maxHeadAge_s: -1 })
const catchUp = (): void => void Object.assign(chainLimits, { maxHeadAge_s: Infinity })

beforeAll(async () => {
  database = await createTestDatabase({ poolSize: 20 })
  await followTo(database.db, 1n, NOW)
})
afterAll(() => database.drop())
beforeEach(async () => {
  memberId = await addMember(database.db, addressOf(nextAddress++))
  juPrice = 3n * WHOLE
  catchUp()
  deps = {
    db: withFixedPrices(database.db, () => ({ JU: juPrice === null ? null : { average: juPrice }, HASH: null }), {
      now: () => asked,
    }),
    ids: systemIds(fakeClock(NOW)),
    contracts: { gateway: addressOf(1), usdt: addressOf(2) },
    chainLimits,
  }
})

let requests = 0
const ask = (planId: bigint, change: object = {}, caller: { memberId?: bigint; now?: Date } = {}) => {
  asked = caller.now ?? NOW
  return getOrder(
    deps,
    { planId: Number(planId), units: 4, requestId: requestIdNamed(`request-${++requests}`, NOW), ...change },
    { memberId, now: NOW, ...caller },
  )
}
const refusal = (code: number) => expect.objectContaining({ code })

describe('getOrder', () => {
  test('reserves units and says exactly what to pay, as the endpoint table has it', async () => {
    const planId = await addPlan(database.db)
    const answer = await ask(planId)
    expect(powerEndpoints['POST power/getOrder'].data.parse(answer)).toEqual(answer)
    expect(answer.order).toMatchObject({
      planId: String(planId),
      units: 4,
      state: 'pending',
      isReserved: true,
      costUsdt: '100',
      asset: 'JU',
      payable: '33.333333333333333334',
      price: '3',
      payBefore: '2026-03-01T12:15:00.000Z',
      payment: null,
    })
    expect(answer.order.transaction?.value).toBe('33333333333333333334')
    expect(answer.order.transaction?.tuple).toEqual([
      '33333333333333333334',
      addressOf(0),
      addressOf(nextAddress - 1),
      answer.order.orderNo,
    ])
    expect(await unitsLeft(database.db, planId)).toBe(96n)
  })

  test('a paused price stops JU and not USDT', async () => {
    const planId = await addPlan(database.db)
    juPrice = null
    await expect(ask(planId)).rejects.toEqual(refusal(5031))
    const { order } = await ask(planId, { asset: 'USDT' })
    expect(order).toMatchObject({ payable: '100', price: '1', asset: 'USDT' })
    expect(order.transaction).toMatchObject({
      value: '0',
      tuple: [String(100n * WHOLE), addressOf(2), expect.any(String), order.orderNo],
    })
  })

  test('what cannot be bought is refused and reserves nothing', async () => {
    const planId = await addPlan(database.db, { minUnits: 2, maxUnits: 8, totalUnits: 5 })
    await expect(ask(planId + 999n)).rejects.toEqual(refusal(404))
    await expect(ask(planId, { units: 1 })).rejects.toEqual(refusal(4202))
    await expect(ask(planId, { units: 9 })).rejects.toEqual(refusal(4203))
    await expect(ask(planId, { units: 6 })).rejects.toEqual(refusal(4401))
    await expect(ask(planId, { maxPayable: 33n * WHOLE })).rejects.toEqual(refusal(4204))
    goBehind()
    await expect(ask(planId)).rejects.toEqual(refusal(5032))
    catchUp()
    await transaction(database.db, (tx) => closePlan(tx, planId, NOW))
    await expect(ask(planId)).rejects.toEqual(refusal(404))
    expect(await unitsLeft(database.db, planId)).toBe(5n)
  })

  test('twenty calls with one request id at the same time make one order', async () => {
    const planId = await addPlan(database.db)
    const calls = Array.from({ length: 20 }, () => ask(planId, { requestId: requestIdNamed('the same one', NOW) }))
    const answers = await Promise.all(calls)
    expect(new Set(answers.map(({ order }) => order.orderNo)).size).toBe(1)
    expect(await unitsLeft(database.db, planId)).toBe(96n)
    await expect(ask(planId, { requestId: requestIdNamed('the same one', NOW), units: 5 })).rejects.toEqual(
      refusal(4090),
    )
  })

  test('calls of many members for the last units set aside half of them at most', async () => {
    const planId = await addPlan(database.db, { totalUnits: 10 })
    const members = await Promise.all(
      Array.from({ length: 12 }, () => addMember(database.db, addressOf(nextAddress++))),
    )
    const calls = members.map((each) => ask(planId, { units: 3 }, { memberId: each }))
    const made = await Promise.all(calls)
    expect(made.filter(({ order }) => order.isReserved)).toHaveLength(1)
    expect(await unitsLeft(database.db, planId)).toBe(7n)
  })

  test('a member cannot reserve without end, and is told when to come back', async () => {
    const planId = await addPlan(database.db)
    await database.db.insertInto('setting').values({ key: 'openOrders', value: '2', updated_at: NOW }).execute()
    try {
      await ask(planId)
      await ask(planId)
      await expect(ask(planId)).rejects.toMatchObject({ code: 429, params: { seconds: 900 } })
    } finally {
      await database.db.deleteFrom('setting').execute()
    }
  })

  test('twenty orders of one member at the same time, each of another plan, reserve no more than the limit', async () => {
    const plans = await Promise.all(Array.from({ length: 20 }, () => addPlan(database.db)))
    await database.db.insertInto('setting').values({ key: 'openOrders', value: '3', updated_at: NOW }).execute()
    try {
      const results = await Promise.allSettled(plans.map((planId) => ask(planId)))
      const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []))
      expect(refused).toEqual(Array.from({ length: 17 }, () => refusal(429)))
    } finally {
      await database.db.deleteFrom('setting').execute()
    }
  })

  test('unpaid orders of one member hold no more of a plan than one order may, also when asked for at the same time', async () => {
    const planId = await addPlan(database.db, { maxUnits: 10 })
    const calls = await Promise.allSettled(Array.from({ length: 20 }, () => ask(planId, { units: 4 })))
    const refused = calls.flatMap((call) => (call.status === 'rejected' ? [call.reason as unknown] : []))
    expect(refused).toEqual(Array.from({ length: 18 }, () => refusal(429)))
    expect(await unitsLeft(database.db, planId)).toBe(92n)
    // The units that another plan or another member may have are not touched by it.
    await ask(await addPlan(database.db, { maxUnits: 10 }), { units: 10 })
    await ask(planId, { units: 10 }, { memberId: await addMember(database.db, addressOf(nextAddress++)) })
    expect(await unitsLeft(database.db, planId)).toBe(82n)
  })

  test('a repetition shows the order as it is by then, also while the chain is behind', async () => {
    const planId = await addPlan(database.db)
    const first = await ask(planId, { requestId: requestIdNamed('repeated later', NOW) })
    await followTo(database.db, 50n, new Date('2026-03-01T12:15:00Z'))
    expect(await transaction(database.db, (tx) => cancelUnpaidOrders(tx, NOW))).toBe(0)
    await followTo(database.db, 51n, new Date('2026-03-01T12:15:01Z'))
    expect(await transaction(database.db, (tx) => cancelUnpaidOrders(tx, NOW))).toBeGreaterThan(0)
    goBehind()
    const again = await ask(
      planId,
      { requestId: requestIdNamed('repeated later', NOW) },
      { now: new Date('2026-03-01T13:00:00Z') },
    )
    expect(again).toEqual({
      ...first,
      order: { ...first.order, transaction: null, state: 'cancelled', isReserved: false },
    })
    expect(await unitsLeft(database.db, planId)).toBe(100n)
    expect(await transaction(database.db, (tx) => cancelUnpaidOrders(tx, NOW))).toBe(0)
  })
})
