import { must } from '../../../kernel/assert.ts'
import * as fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Database } from '../../../db/open.ts'
import { createTestDatabase } from '@candela/testing/postgres/test-database'
import { utcDay } from '@candela/protocol/calendar'
import { readOrders } from '../orders/read-orders.ts'
import { addMember, addPlan, addressOf, NOW, recordPayment } from '../testing.ts'
import { decidePurchases, type OrderFacts, type PurchasePayment } from './decide-purchases.ts'

const minute = (nth: number) => new Date(NOW.getTime() + nth * 60_000)
const contracts = { gateway: addressOf(1), usdt: addressOf(2) }
const numbers = ['ORDER001', 'ORDER002', 'ORDER003']
const owners = [addressOf(10), addressOf(11)]
const STRANGER = addressOf(12)

const open = ['pending', 'cancelled'] as const
const ended = ['active', 'expired', 'late', 'mismatch', 'soldOut'] as const

// Few values of each kind, so that payments meet orders, exactly and nearly, and each other.
const anyMoney = { asset: fc.constantFrom('USDT' as const, 'JU' as const), amount: fc.bigInt(1n, 2n) }
const anyOrder = fc.record({
  owner: fc.nat(owners.length - 1),
  state: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...open) },
    { weight: 1, arbitrary: fc.constantFrom(...ended) },
  ),
  /** In minutes after NOW. */
  payBefore: fc.integer({ min: 0, max: 2 }),
  watchFor: fc.integer({ min: 0, max: 2 }),
  hasUnits: fc.boolean(),
  ...anyMoney,
})
const anyPayment = fc.record({
  reference: fc.constantFrom(...numbers, 'ORDER009'),
  payer: fc.constantFrom(...owners, STRANGER),
  customer: fc.constantFrom(...owners, STRANGER),
  action: fc.oneof(
    { weight: 6, arbitrary: fc.constant('buyPower') },
    { weight: 1, arbitrary: fc.constantFrom('deposit', 'unknown') },
  ),
  minute: fc.integer({ min: 0, max: 5 }),
  ...anyMoney,
})
const anyCase = fc.record({
  orders: fc.array(anyOrder, { minLength: 1, maxLength: numbers.length }),
  payments: fc.array(anyPayment, { maxLength: 6 }),
  /** Whether a payment activates an order or ends it unbought depends on these; that it settles the order does not. */
  unitsLeft: fc.bigInt(0n, 2n),
  closed: fc.boolean(),
  price: fc.constantFrom(null, 1n, 2n),
})
type Case = typeof anyCase extends fc.Arbitrary<infer T> ? T : never
type Owner = { id: bigint; address: string }

async function addOrder(
  db: Database,
  { nth, owner, planId }: { nth: number; owner: Owner; planId: bigint },
  { state, payBefore, watchFor, hasUnits, asset, amount }: Case['orders'][number],
): Promise<OrderFacts> {
  const orderNo = must(numbers[nth], 'as many numbers')
  const settledBy = open.some((one) => one === state) ? null : await addSettlingPayment(db, { orderNo, nth, owner })
  const term = state === 'active' || state === 'expired' ? utcDay(NOW) : null
  const isReserved = hasUnits && state === 'pending'
  const times = { pay_before: minute(payBefore), watch_until: minute(payBefore + watchFor) }
  const { id } = await db
    .insertInto('power_order')
    .values({
      order_no: orderNo,
      member_id: owner.id,
      plan_id: planId,
      units: 1n,
      cost_usdt: 1n,
      asset,
      payable: amount,
      price: 1n,
      state,
      is_reserved: isReserved,
      created_at: minute(-1),
      ...times,
      term_days: 30,
      settled_at: state === 'pending' ? null : NOW,
      starts_on: term,
      ends_on: term,
      chain_event_id: settledBy,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return {
    id,
    orderNo,
    memberId: owner.id,
    owner: owner.address,
    inviterId: null,
    planId,
    units: 1n,
    asset,
    payable: amount,
    price: 1n,
    state,
    isReserved,
    payBefore: times.pay_before,
    watchUntil: times.watch_until,
    termDays: 30,
  }
}

const hashOf = (nth: number) => `0x${nth.toString(16).padStart(64, '0')}`

/** The credited payment of an order that is settled already. */
const addSettlingPayment = (
  db: Database,
  { orderNo, nth, owner }: { orderNo: string; nth: number; owner: Owner },
): Promise<bigint> =>
  recordPayment(db, {
    reference: orderNo,
    asset: 'USDT',
    amount: 1n,
    payer: owner.address,
    tx_hash: hashOf(1_000 + nth),
    state: 'credited',
    outcome: 'order',
    credited_at: NOW,
  })

/** Later payments of the list stand earlier in their block, so that ids do not follow the order of the chain. */
async function addPayment(
  db: Database,
  { minute: nthMinute, ...payment }: Case['payments'][number],
  nth: number,
): Promise<PurchasePayment & { txHash: string; action: string; place: number }> {
  const place = nthMinute * 100 - nth
  const blockAt = minute(nthMinute)
  const txHash = hashOf(nth)
  await recordPayment(db, {
    ...payment,
    tx_hash: txHash,
    block_number: BigInt(nthMinute + 10),
    log_index: 100 - nth,
    block_at: blockAt,
  })
  return { ...payment, blockAt, txHash, place }
}

test('property: an order is confirming exactly when decidePurchases will settle it, by the same payment', async () => {
  await using database = await createTestDatabase()
  const { db } = database
  const planId = await addPlan(db)
  const members = await Promise.all(owners.map(async (address) => ({ address, id: await addMember(db, address) })))
  await fc.assert(
    fc.asyncProperty(anyCase, async (input) => {
      await sql`delete from power_order`.execute(db)
      await sql`delete from chain_event`.execute(db)
      const orders = await Promise.all(
        input.orders.map((order, nth) =>
          addOrder(db, { nth, owner: must(members[order.owner], 'an owner of the list'), planId }, order),
        ),
      )
      const recorded = await Promise.all(input.payments.map((payment, nth) => addPayment(db, payment, nth)))
      const payments = recorded
        .filter(({ action }) => action === 'buyPower')
        .toSorted((one, other) => one.place - other.place)
      const decisions = decidePurchases(payments, {
        orders,
        plans: [{ id: planId, unitsLeft: input.unitsLeft, closed: input.closed }],
        priceOf: () => input.price,
        lateToleranceBps: 200,
        firstOpenDay: null,
      })
      const settledBy = new Map(
        decisions.flatMap((decision, nth) =>
          decision.kind === 'unmatched' ? [] : [[decision.order.orderNo, payments[nth]?.txHash]],
        ),
      )
      for (const { id } of members) {
        const listed = await readOrders(db, contracts, { memberId: id, limit: 10, now: NOW })
        const shown = listed.map(({ order: { orderNo, state, payment } }) => ({
          orderNo,
          state,
          ...(state === 'confirming' && { by: payment?.txHash }),
        }))
        const expected = orders
          .filter(({ memberId }) => memberId === id)
          .toSorted((one, other) => Number(other.id - one.id))
          .map(({ orderNo, state }) => {
            const by = settledBy.get(orderNo)
            return by === undefined ? { orderNo, state } : { orderNo, state: 'confirming', by }
          })
        expect(shown).toEqual(expected)
      }
    }),
    { numRuns: 150 },
  )
})
