import { requestIdNamed } from '@candela/testing/server/request-id-named'
import * as fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { confirmedPayment } from '../../../chain/crediting/credit-payments.ts'
import { transaction } from '../../../db/open.ts'
import { type TestDatabase, createTestDatabase } from '@candela/testing/postgres/test-database'
import { fakeClock } from '../../../kernel/clock.ts'
import { systemIds } from '../../../kernel/ids.ts'

import { settlePayments } from '../../crediting/settle-payments.ts'
import { cancelUnpaidOrders } from '../orders/cancel-unpaid-orders.ts'
import { getOrder } from '../orders/get-order.ts'
import { NOW, WHOLE, addMember, addPlan, addressOf, followTo, recordPayment, unitsLeft } from '../testing.ts'
import { mayReserve } from './plan.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase({ poolSize: 20 })
  await followTo(database.db, 1n, NOW)
})
afterAll(() => database.drop())

let members = 100
/** An order of a new member, in USDT at 25 a unit. */
async function order(planId: bigint, units: number) {
  const address = addressOf(++members)
  const memberId = await addMember(database.db, address)
  const deps = {
    db: database.db,
    ids: systemIds(fakeClock(NOW)),
    contracts: { gateway: addressOf(1), usdt: addressOf(2) },
    chainLimits: { maxHeadAge_s: Infinity, maxLag_blocks: 0 },
  }
  const input = {
    planId: Number(planId),
    units,
    asset: 'USDT' as const,
    requestId: requestIdNamed(`request-${members}`, NOW),
  }
  const made = await getOrder(deps, input, { memberId, now: NOW })
  return { ...made.order, memberId, address }
}
type Made = Awaited<ReturnType<typeof order>>

const ordersOfMany = (count: number, planId: bigint, units: number): Promise<Made[]> =>
  Promise.all(Array.from({ length: count }, () => order(planId, units)))

/** Records a payment of exactly the order and settles it in a transaction of its own. Resolves to its outcome. */
async function pay({ orderNo, address, units }: Made): Promise<string | undefined> {
  const amount = BigInt(units) * 25n * WHOLE
  const tx_hash = `0x${BigInt(address).toString(16).padStart(64, '0')}`
  const paid = { reference: orderNo, asset: 'USDT' as const, amount, payer: address, tx_hash }
  const id = await recordPayment(database.db, paid)
  const row = await database.db.selectFrom('chain_event').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  return transaction(database.db, async (tx) => {
    const [settled] = await settlePayments(tx, [confirmedPayment(row)], NOW)
    const credited = { state: 'credited' as const, outcome: settled?.outcome ?? null, credited_at: NOW }
    await tx.updateTable('chain_event').set(credited).where('id', '=', id).execute()
    return settled?.outcome
  })
}

const rows = (planId: bigint) =>
  database.db.selectFrom('power_order').selectAll().where('plan_id', '=', planId).orderBy('id').execute()

test('property: whatever is asked for, what is set aside stays within half of what is unsold', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 60n), fc.array(fc.bigInt(1n, 20n), { maxLength: 30 }), (total, wanted) => {
      let reserved = 0n
      for (const units of wanted) if (mayReserve(total - reserved, reserved, units)) reserved += units
      expect(2n * reserved).toBeLessThanOrEqual(total)
      // The bound is used, not merely kept: what was refused would have been too much.
      for (const units of wanted)
        if (!mayReserve(total - reserved, reserved, units)) expect(2n * (reserved + units)).toBeGreaterThan(total)
    }),
  )
})

test('unpaid orders of many accounts do not keep an honest buyer from ordering and paying', async () => {
  const planId = await addPlan(database.db)
  const unpaid = await ordersOfMany(12, planId, 25)
  expect(unpaid.filter(({ isReserved }) => isReserved)).toHaveLength(2)
  expect(await unitsLeft(database.db, planId)).toBe(50n)

  const honest = await order(planId, 50)
  expect(honest.isReserved).toBe(false)
  expect(await pay(honest)).toBe('order')
  expect(await unitsLeft(database.db, planId)).toBe(0n)
  // Orders with units keep them, those without are told at their payment that nothing is left.
  const [reserved, unreserved] = [true, false].map((is) => unpaid.find(({ isReserved }) => isReserved === is) as Made)
  expect(await pay(reserved as Made)).toBe('order')
  expect(await pay(unreserved as Made)).toBe('balance')
  const notices = await database.db
    .selectFrom('notice')
    .select('kind')
    .where('member_id', '=', (unreserved as Made).memberId)
    .execute()
  expect(notices).toEqual([{ kind: 'orderSoldOut' }])
})

test('what runs out puts back only units that were set aside for it', async () => {
  const planId = await addPlan(database.db)
  await ordersOfMany(5, planId, 20)
  expect((await rows(planId)).filter(({ is_reserved }) => is_reserved)).toHaveLength(2)
  expect(await unitsLeft(database.db, planId)).toBe(60n)
  await followTo(database.db, 50n, new Date(NOW.getTime() + 16 * 60_000))
  expect(await transaction(database.db, (tx) => cancelUnpaidOrders(tx, NOW))).toBeGreaterThanOrEqual(5)
  expect(await unitsLeft(database.db, planId)).toBe(100n)
  expect(new Set((await rows(planId)).map(({ state, is_reserved }) => `${state} ${is_reserved}`))).toEqual(
    new Set(['cancelled false']),
  )
})

/** Reads what the plan counts as set aside, and what its orders say. */
async function reservedOf(planId: bigint): Promise<[counted: bigint, summed: bigint]> {
  const { db } = database
  const plan = await db.selectFrom('power_plan').selectAll().where('id', '=', planId).executeTakeFirstOrThrow()
  const held = (await rows(planId)).filter(({ is_reserved }) => is_reserved)
  return [plan.units_reserved, held.reduce((sum, { units }) => sum + units, 0n)]
}

test('property: after any sequence of orders, payments and ends the plan counts what its orders have set aside', async () => {
  const step = fc.record({
    what: fc.constantFrom('order', 'order', 'pay', 'end'),
    size: fc.integer({ min: 1, max: 12 }),
  })
  let counted = 0n
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async (steps) => {
      const planId = await addPlan(database.db)
      const unpaid: Made[] = []
      for (const { what, size } of steps) {
        if (what === 'order') unpaid.push(await order(planId, size))
        const paid = what === 'pay' ? unpaid.splice(size % Math.max(1, unpaid.length), 1)[0] : undefined
        if (paid !== undefined) await pay(paid)
        if (what === 'end') {
          // As the sweep does when their time is over.
          await transaction(database.db, async (tx) => {
            await sql`update power_order set pay_before = '2026-01-01' where plan_id = ${planId} and units <= ${size}`.execute(
              tx,
            )
            await cancelUnpaidOrders(tx, NOW)
          })
        }
        const [counts, sum] = await reservedOf(planId)
        expect(counts).toBe(sum)
        counted += counts
      }
    }),
    { numRuns: 15 },
  )
  expect(counted).toBeGreaterThan(0n)
})

test('fifty orders for the one unit that is left, made and then paid at the same time: it is sold once', async () => {
  const planId = await addPlan(database.db, { totalUnits: 1 })
  const orders = await ordersOfMany(50, planId, 1)
  expect(orders.some(({ isReserved }) => isReserved)).toBe(false)
  const outcomes = await Promise.all(orders.map(pay))
  expect(outcomes.filter((outcome) => outcome === 'order')).toHaveLength(1)
  expect(outcomes.filter((outcome) => outcome === 'balance')).toHaveLength(49)
  const states = (await rows(planId)).map(({ state }) => state)
  expect(states.filter((state) => state === 'active')).toHaveLength(1)
  expect(states.filter((state) => state === 'soldOut')).toHaveLength(49)
  expect(await unitsLeft(database.db, planId)).toBe(0n)
})

test('fifty orders made while others are paid and swept: units are those that nobody has', async () => {
  const planId = await addPlan(database.db, { totalUnits: 60 })
  const first = await ordersOfMany(25, planId, 2)
  const made = ordersOfMany(25, planId, 2).catch((error: unknown) => error)
  const outcomes = await Promise.all(first.map(pay))
  await made
  await transaction(database.db, (tx) => cancelUnpaidOrders(tx, NOW))
  expect(outcomes).toContain('order')
  const held = (await rows(planId)).filter(({ state, is_reserved }) => is_reserved || state === 'active')
  expect(await unitsLeft(database.db, planId)).toBe(60n - held.reduce((sum, { units }) => sum + units, 0n))
  const [counted, summed] = await reservedOf(planId)
  expect(counted).toBe(summed)
})
