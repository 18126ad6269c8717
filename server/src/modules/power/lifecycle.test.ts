import { powerEndpoints } from '@candela/protocol/endpoints/power'
import { userEndpoints } from '@candela/protocol/endpoints/user'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { confirmedPayment } from '../../chain/crediting/credit-payments.ts'
import { transaction } from '../../db/open.ts'
import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'
import { settlePayments } from '../crediting/settle-payments.ts'
import { cancelUnpaidOrders } from './orders/cancel-unpaid-orders.ts'
import { expirePower } from './holdings/expire-power.ts'
import { listPlans } from './plans/list-plans.ts'
import { listPowerLog } from './holdings/list-power-log.ts'
import { readOrders } from './orders/read-orders.ts'
import { addMember, addPlan, addressOf, followTo, NOW, recordPayment, unitsLeft, WHOLE } from './testing.ts'

let database: TestDatabase
let memberId: bigint
let planId: bigint
const OWNER = addressOf(7)
const OTHER = addressOf(8)

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  await database.db.deleteFrom('power_log').execute()
  await database.db.deleteFrom('member_power').execute()
  await database.db.deleteFrom('power_order').execute()
  await database.db.deleteFrom('chain_event').execute()
  await database.db.deleteFrom('chain_cursor').execute()
  await database.db.deleteFrom('chain_block').execute()
  const { db } = database
  const found = await db.selectFrom('member').select('id').where('address', '=', OWNER).executeTakeFirst()
  memberId = found?.id ?? (await addMember(db, OWNER))
  planId = await addPlan(db)
})

let orders = 0
/** An order of 4 units for 100 USDT, straight into the table. */
async function addOrder({
  units = 4n,
  ...change
}: { units?: bigint; [column: string]: unknown } = {}): Promise<string> {
  const orderNo = `20260301-ORDER${++orders}`
  await database.db
    .insertInto('power_order')
    .values({
      order_no: orderNo,
      member_id: memberId,
      plan_id: planId,
      units,
      cost_usdt: 100n * WHOLE,
      asset: 'USDT',
      payable: 100n * WHOLE,
      price: WHOLE,
      created_at: NOW,
      pay_before: new Date('2026-03-01T12:15:00Z'),
      watch_until: new Date('2026-03-02T12:15:00Z'),
      term_days: 2,
      is_reserved: true,
      ...change,
    })
    .execute()
  await database.db
    .updateTable('power_plan')
    .set((eb) => ({ units_left: eb('units_left', '-', units), units_reserved: eb('units_reserved', '+', units) }))
    .where('id', '=', planId)
    .execute()
  return orderNo
}

const exact = { asset: 'USDT' as const, amount: 100n * WHOLE, payer: OWNER }

/** Settles events as crediting does, in the order given, and marks them. */
async function settle(eventIds: bigint[], now: Date): Promise<void> {
  const { db } = database
  const rows = await db.selectFrom('chain_event').selectAll().where('id', 'in', eventIds).orderBy('id').execute()
  await transaction(db, async (tx) => {
    for (const { eventId, outcome } of await settlePayments(tx, rows.map(confirmedPayment), now)) {
      const credited = { state: 'credited' as const, outcome, credited_at: now }
      await tx.updateTable('chain_event').set(credited).where('id', '=', eventId).execute()
    }
  })
}

/** Reads the notices that the owner of these orders got about them. */
async function told(...numbers: string[]): Promise<string[][]> {
  const rows = await database.db.selectFrom('notice').select(['kind', 'params']).execute()
  const notices = rows.map(({ kind, params }) => [kind, (params as { orderNo?: string }).orderNo ?? ''])
  const about = notices.filter(([, orderNo = '']) => numbers.includes(orderNo))
  return about.toSorted((a, b) => String(a).localeCompare(String(b)))
}

const contracts = { gateway: addressOf(1), usdt: addressOf(2) }

const list = async (filter: object = {}) => {
  const rows = await readOrders(database.db, contracts, { memberId, limit: 10, now: NOW, ...filter })
  for (const { order } of rows) powerEndpoints['GET power/orderList'].data.shape.items.element.parse(order)
  return rows.map(({ order }) => order)
}

describe('an order on its way', () => {
  test('is confirming while a payment that will settle it is recorded, and pending again when it is reverted', async () => {
    const orderNo = await addOrder()
    const event = await recordPayment(database.db, { ...exact, reference: orderNo, block_number: 10n })
    await followTo(database.db, 12n, NOW)
    expect(await list()).toMatchObject([
      { state: 'confirming', payment: { confirmations: 3, confirmationsNeeded: 12, outcome: null, amount: '100' } },
    ])
    expect(await list({ state: 'confirming' })).toHaveLength(1)
    expect(await list({ state: 'pending' })).toEqual([])
    await database.db.deleteFrom('chain_event').where('id', '=', event).execute()
    expect(await list()).toMatchObject([{ state: 'pending', payment: null }])
  })

  test('is not shown as confirming by a stranger’s payment of another amount', async () => {
    const orderNo = await addOrder()
    await recordPayment(database.db, { ...exact, amount: 1n, payer: OTHER, reference: orderNo })
    expect(await list()).toMatchObject([{ state: 'pending', payment: null }])
    await recordPayment(database.db, { ...exact, amount: 2n, reference: orderNo })
    expect(await list()).toMatchObject([{ state: 'confirming', payment: { amount: '0.000000000000000002' } }])
  })

  test('is not confirming by a payment that comes when it is not watched any more', async () => {
    const orderNo = await addOrder()
    const blockAt = new Date('2026-03-02T12:15:01Z')
    const event = await recordPayment(database.db, { ...exact, reference: orderNo, block_at: blockAt })
    expect(await list()).toMatchObject([{ state: 'pending', payment: null }])
    await settle([event], blockAt)
    expect(await list()).toMatchObject([{ state: 'pending', payment: null }])
  })

  test('stays while its payment waits for depth, even when the time is over', async () => {
    const orderNo = await addOrder()
    await recordPayment(database.db, { ...exact, reference: orderNo })
    await followTo(database.db, 12n, new Date('2026-03-01T13:00:00Z'))
    expect(await transaction(database.db, (tx) => cancelUnpaidOrders(tx, NOW))).toBe(0)
    await database.db.deleteFrom('chain_event').execute()
    // A payment that will not settle the order does not hold its units either.
    await recordPayment(database.db, { ...exact, amount: 1n, payer: OTHER, reference: orderNo })
    expect(await transaction(database.db, (tx) => cancelUnpaidOrders(tx, NOW))).toBe(1)
    expect(await unitsLeft(database.db, planId)).toBe(100n)
  })

  test('has the time again in which the chain stood still', async () => {
    await addOrder()
    const stood = { from_at: new Date('2026-03-01T12:05:00Z'), to_at: new Date('2026-03-01T14:05:00Z') }
    await database.db
      .insertInto('chain_standstill')
      .values({ block_number: 12n, ...stood })
      .execute()
    await followTo(database.db, 12n, new Date('2026-03-01T14:15:00Z'))
    expect(await transaction(database.db, (tx) => cancelUnpaidOrders(tx, NOW))).toBe(0)
    await followTo(database.db, 13n, new Date('2026-03-01T14:15:01Z'))
    expect(await transaction(database.db, (tx) => cancelUnpaidOrders(tx, NOW))).toBe(1)
    await database.db.deleteFrom('chain_standstill').execute()
  })
})

describe('power', () => {
  test('two orders of one batch add up, end on their own days, and leave a log that adds up', async () => {
    const first = await addOrder()
    const second = await addOrder({ units: 6n, cost_usdt: 150n * WHOLE, payable: 150n * WHOLE, term_days: 3 })
    const events = [
      await recordPayment(database.db, { ...exact, reference: first }),
      await recordPayment(database.db, { ...exact, amount: 150n * WHOLE, reference: second }),
    ]
    await settle(events, new Date('2026-03-01T12:10:00Z'))
    expect(await list()).toMatchObject([
      { orderNo: second, state: 'active', startsOn: '2026-03-02', endsOn: '2026-03-04', payment: { outcome: 'order' } },
      { orderNo: first, state: 'active', startsOn: '2026-03-02', endsOn: '2026-03-03', payment: { outcome: 'order' } },
    ])
    const power = () => database.db.selectFrom('member_power').selectAll().executeTakeFirstOrThrow()
    expect(await power()).toMatchObject({ active_units: 10n, purchased_usdt: 250n * WHOLE })

    const expire = (at: string) => transaction(database.db, (tx) => expirePower(tx, new Date(at)))
    expect(await expire('2026-03-03T23:59:59.999Z')).toBe(0)
    expect(await Promise.all([expire('2026-03-05T00:00:00Z'), expire('2026-03-05T00:00:00Z')])).toContain(2)
    expect(await expire('2026-03-05T00:00:00Z')).toBe(0)
    expect(await power()).toMatchObject({ active_units: 0n, purchased_usdt: 250n * WHOLE })
    expect(await list()).toMatchObject([{ state: 'expired' }, { state: 'expired' }])
    // Asked for by its name, an older one is found behind any number of newer ones of its state.
    expect(await list({ orderNo: first, state: 'expired', limit: 1 })).toMatchObject([{ orderNo: first }])
    expect(await list({ orderNo: first, state: 'active' })).toEqual([])
    expect(await told(first, second)).toEqual([
      ['orderActivated', first],
      ['orderActivated', second],
      ['powerExpired', first],
      ['powerExpired', second],
    ])

    const page = await listPowerLog(database.db, memberId, { before: undefined, limit: 3 })
    expect(userEndpoints['GET user/powerLog'].data.parse(page)).toEqual(page)
    const next = await listPowerLog(database.db, memberId, { before: BigInt(page.nextCursor ?? 0), limit: 3 })
    expect([...page.items, ...next.items].map(({ kind, units, total }) => [kind, units, total])).toEqual([
      ['expired', -6, 0],
      ['expired', -4, 6],
      ['activated', 6, 10],
      ['activated', 4, 4],
    ])
    expect(next.nextCursor).toBeNull()
  })

  test('a mismatch and a late payment end the order, give its units back and show where the money is', async () => {
    const less = await addOrder()
    const late = await addOrder({ asset: 'JU' })
    const blockAt = new Date('2026-03-01T12:20:00Z')
    const events = [
      await recordPayment(database.db, { ...exact, amount: 99n * WHOLE, reference: less }),
      await recordPayment(database.db, {
        ...exact,
        asset: 'JU',
        reference: late,
        block_at: blockAt,
        tx_hash: `0x${'1a'.repeat(32)}`,
      }),
    ]
    await settle(events, blockAt)
    expect(await list()).toMatchObject([
      { orderNo: late, state: 'late', payment: { outcome: 'balance' }, startsOn: null },
      { orderNo: less, state: 'mismatch', payment: { outcome: 'balance', amount: '99' }, startsOn: null },
    ])
    expect(await told(less, late)).toEqual([
      ['orderLate', late],
      ['orderMismatch', less],
    ])
    expect(await unitsLeft(database.db, planId)).toBe(100n)
    expect(await database.db.selectFrom('member_power').selectAll().execute()).toEqual([])
  })
})

test('plans on sale are listed as the endpoint table has them', async () => {
  const plans = await listPlans(database.db, new Date('2026-12-31T23:00:00Z'))
  expect(powerEndpoints['GET power/plans'].data.parse(plans)).toEqual(plans)
  expect(plans.items.at(-1)).toMatchObject({ unitPrice: '25', serviceFeeRate: '0.05', startsOn: '2027-01-01' })
})
