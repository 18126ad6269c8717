import { requestIdNamed } from '@candela/testing/server/request-id-named'
import { powerEndpoints } from '@candela/protocol/endpoints/power'
import { toBaseUnits } from '@candela/protocol/money/money'
import { DEFAULT_PAGE_LIMIT } from '@candela/protocol/page'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { keepObservation } from '../../../chain/price/observe-prices.ts'
import { transaction } from '../../../db/open.ts'
import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'
import { fakeClock } from '../../../kernel/clock.ts'
import { systemIds } from '../../../kernel/ids.ts'
import type { SessionContext } from '../../../kernel/handler.ts'
import { powerHandlers } from '../endpoints.ts'
import { addMember, addPlan, addressOf, followTo, NOW, WHOLE } from '../testing.ts'

let database: TestDatabase
let planId: number
let memberId: bigint
let nextAddress = 100
beforeAll(async () => {
  database = await createTestDatabase()
  planId = Number(await addPlan(database.db, { minUnits: 2 }))
  await followTo(database.db, 1n, NOW)
})
afterAll(() => database.drop())
beforeEach(async () => {
  memberId = await addMember(database.db, addressOf(nextAddress++))
  await database.db.deleteFrom('price_observation').execute()
  await database.db.deleteFrom('price_reference').execute()
})

/** The pair holds 1 000 JU and 3 000 USDT at this time. */
const observe = (at: Date) =>
  transaction(database.db, (tx) =>
    keepObservation(tx, {
      asset: 'JU',
      blockNumber: 40n,
      at,
      pair: addressOf(9),
      assetReserve: 1_000n * WHOLE,
      usdtReserve: 3_000n * WHOLE,
      cumulative: 0n,
    }),
  )

const lastDay = '2026-02-28'
/** A closed day, as the close of income writes it. HASH base units. */
async function closeDay({ revenue, totalUnits }: { revenue: bigint; totalUnits: bigint }): Promise<void> {
  const closed = { revenue, carried_in: 0n, total_units: totalUnits, accounts: 1n, fee: 0n, paid: 0n, closed_at: NOW }
  await database.db
    .insertInto('income_day')
    .values({ day: lastDay, opened_at: NOW, ...closed })
    .execute()
}

const context = (): SessionContext => ({
  lang: 'en',
  callId: 'call',
  now: NOW,
  clientAddress: '127.0.0.1',
  userAgent: '',
  memberId,
  sessionId: '00000000-0000-4000-8000-000000000000',
})
const handlers = () =>
  powerHandlers({
    db: database.db,
    ids: systemIds(fakeClock(NOW)),
    contracts: { gateway: addressOf(1), usdt: addressOf(2) },
    chainLimits: { maxHeadAge_s: Infinity, maxLag_blocks: 0 },
  })
const calculate = async (input: { planId: number; units: number; asset?: 'JU' | 'USDT' }) => {
  const data = await handlers()['GET power/calc'](input, context())
  expect(powerEndpoints['GET power/calc'].data.parse(data)).toEqual(data)
  return data
}

test('a quote says what it costs, at which price, and how long it stands', async () => {
  await observe(new Date(NOW.getTime() - 10_000))
  expect(await calculate({ planId, units: 4 })).toMatchObject({
    costUsdt: '100',
    asset: 'JU',
    payable: '33.333333333333333334',
    price: { asset: 'JU', average: '3', paused: false, blockNumber: 40 },
    quoteExpiresAt: '2026-03-01T12:15:00.000Z',
    illustration: null,
  })
  expect(await calculate({ planId, units: 4, asset: 'USDT' })).toMatchObject({
    payable: '100',
    price: { average: '1' },
  })
})

test('an order asks for exactly what the quote said', async () => {
  await observe(new Date(NOW.getTime() - 10_000))
  const quote = await calculate({ planId, units: 7 })
  const { order } = await handlers()['POST power/getOrder'](
    { planId, units: 7, requestId: requestIdNamed('as quoted', NOW), maxPayable: toBaseUnits(quote.payable) },
    context(),
  )
  expect(order).toMatchObject({ payable: quote.payable, price: '3', costUsdt: quote.costUsdt })
  const list = await handlers()['GET power/orderList']({ limit: DEFAULT_PAGE_LIMIT }, context())
  expect(powerEndpoints['GET power/orderList'].data.parse(list)).toEqual({ items: [order], nextCursor: null })
})

test('a price that nobody observed lately stops quotes in JU, and orders with them', async () => {
  await observe(new Date(NOW.getTime() - 301_000))
  const paused = { code: 5031, params: { asset: 'JU' } }
  await expect(calculate({ planId, units: 4 })).rejects.toMatchObject(paused)
  const order = handlers()['POST power/getOrder'](
    { planId, units: 4, requestId: requestIdNamed('paused', NOW) },
    context(),
  )
  await expect(order).rejects.toMatchObject(paused)
  expect(await calculate({ planId, units: 4, asset: 'USDT' })).toMatchObject({ payable: '100' })
})

test('a quantity that the plan does not sell is refused before any price', async () => {
  await expect(calculate({ planId, units: 1 })).rejects.toMatchObject({ code: 4202, params: { minimum: '2' } })
  await expect(calculate({ planId, units: 51 })).rejects.toMatchObject({ code: 4203, params: { limit: '50' } })
  await expect(calculate({ planId: planId + 1, units: 4 })).rejects.toMatchObject({ code: 404 })
})

test('a list page ends where the next begins', async () => {
  const { 'POST power/getOrder': getOrder, 'GET power/orderList': orderList } = handlers()
  const input = { planId, units: 2, asset: 'USDT' as const }
  for (const nth of [1, 2, 3]) await getOrder({ ...input, requestId: requestIdNamed(`page ${nth}`, NOW) }, context())
  const first = await orderList({ limit: 2 }, context())
  const second = await orderList({ limit: 2, cursor: first.nextCursor ?? '' }, context())
  const numbers = [...first.items, ...second.items].map(({ orderNo }) => orderNo)
  expect(new Set(numbers).size).toBe(3)
  expect([first.items.length, second.items.length]).toEqual([2, 1])
  expect(second.nextCursor).toBeNull()
  await expect(orderList({ cursor: 'not-ours', limit: DEFAULT_PAGE_LIMIT }, context())).rejects.toMatchObject({
    code: 400,
  })
})

test('the illustration is the last closed day for this quantity and plan, with half and one and a half of it', async () => {
  await observe(NOW)
  await closeDay({ revenue: 1_000n * WHOLE, totalUnits: 500n })
  expect((await calculate({ planId, units: 10 })).illustration).toEqual({
    day: '2026-02-28',
    yesterday: { outputPerUnit: '1.9', output: '19' },
    worse: { outputPerUnit: '0.95', output: '9.5' },
    better: { outputPerUnit: '2.85', output: '28.5' },
  })
  for (const nothing of [{ revenue: 0n }, { totalUnits: 0n }]) {
    await database.owner.deleteFrom('income_day').execute()
    await closeDay({ revenue: WHOLE, totalUnits: 1n, ...nothing })
    expect((await calculate({ planId, units: 10 })).illustration).toBeNull()
  }
  await database.owner.deleteFrom('income_day').execute()
  expect((await calculate({ planId, units: 10 })).illustration).toBeNull()
})
