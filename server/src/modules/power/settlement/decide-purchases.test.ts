import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  decidePurchases,
  type OrderFacts,
  type PurchaseDecision,
  type PurchaseFacts,
  type PurchasePayment,
} from './decide-purchases.ts'

const OWNER = '0x00000000000000000000000000000000000000aa'
const OTHER = '0x00000000000000000000000000000000000000bb'
const at = (text: string) => new Date(`2026-03-${text}Z`)

const order: OrderFacts = {
  id: 1n,
  orderNo: 'ORDER1',
  memberId: 7n,
  owner: OWNER,
  inviterId: null,
  planId: 3n,
  units: 10n,
  asset: 'JU',
  payable: 4000n,
  price: 100_000n,
  state: 'pending',
  isReserved: true,
  payBefore: at('01T12:15:00'),
  watchUntil: at('02T12:15:00'),
  termDays: 30,
}
const exact: PurchasePayment = {
  reference: 'ORDER1',
  asset: 'JU',
  amount: 4000n,
  payer: OWNER,
  blockAt: at('01T12:10:00'),
}

function decide(
  payments: PurchasePayment[],
  change: { orders?: OrderFacts[]; plans?: PurchaseFacts['plans']; price?: bigint | null } = {},
): PurchaseDecision[] {
  const { orders = [order], plans = [{ id: 3n, unitsLeft: 10n, closed: false }], price = 100_000n } = change
  return decidePurchases(payments, { orders, plans, priceOf: () => price, lateToleranceBps: 200, firstOpenDay: null })
}
const kinds = (decisions: PurchaseDecision[]) =>
  decisions.map((decision) => (decision.kind === 'unmatched' ? decision.reason : decision.kind))

describe('a payment of exactly what the order asks', () => {
  test('in time: active from the UTC day after its block, for the days of the term', () => {
    expect(decide([exact])).toEqual([
      { kind: 'active', order, term: { startsOn: '2026-03-02', endsOn: '2026-03-31' }, unitsDelta: 0n },
    ])
  })

  test('that counts in time, because the chain stood still before its block, is in time; the day after its block begins the term', () => {
    const late = { ...exact, blockAt: at('02T01:00:00') }
    expect(kinds(decide([late], { price: null }))).toEqual(['late'])
    expect(decide([{ ...late, countsAt: at('01T12:14:00') }], { price: null })).toMatchObject([
      { kind: 'active', term: { startsOn: '2026-03-03' } },
    ])
  })

  test('in the last second is in time, whatever the price does', () => {
    expect(kinds(decide([{ ...exact, blockAt: order.payBefore }], { price: null }))).toEqual(['active'])
  })

  test('by somebody else buys for the one who ordered', () => {
    expect(kinds(decide([{ ...exact, payer: OTHER }]))).toEqual(['active'])
  })

  test.each(['cancelled', 'pending'] as const)('of an order (%s) without units takes those that are left', (state) => {
    const orders = [{ ...order, state, isReserved: false }]
    expect(decide([exact], { orders })).toMatchObject([{ kind: 'active', unitsDelta: -10n }])
    const plans = [{ id: 3n, unitsLeft: 9n, closed: false }]
    expect(decide([exact], { orders, plans })).toMatchObject([{ kind: 'soldOut', unitsDelta: 0n }])
  })

  test('in time buys what is left of a plan that was closed since, reserved or not', () => {
    const plans = [{ id: 3n, unitsLeft: 10n, closed: true }]
    for (const isReserved of [true, false])
      expect(kinds(decide([exact], { orders: [{ ...order, isReserved }], plans }))).toEqual(['active'])
  })

  test('of an unknown, a settled and a forgotten order touches nothing', () => {
    const active = { ...order, state: 'active' as const }
    expect(kinds(decide([exact], { orders: [] }))).toEqual(['unknownOrder'])
    expect(kinds(decide([exact], { orders: [active] }))).toEqual(['alreadySettled'])
    expect(kinds(decide([{ ...exact, blockAt: at('02T12:15:01') }]))).toEqual(['notWatched'])
  })
})

describe('a payment after the order expired', () => {
  const late = { ...exact, blockAt: at('01T12:15:01') }

  test('counts while the price moved by less than 2 % either way', () => {
    for (const price of [98_001n, 100_000n, 101_999n]) expect(kinds(decide([late], { price }))).toEqual(['active'])
    for (const price of [98_000n, 102_000n, null]) expect(kinds(decide([late], { price }))).toEqual(['late'])
  })

  test('gives the units of an unswept order back when it does not count', () => {
    expect(decide([late], { price: null })).toMatchObject([{ kind: 'late', unitsDelta: 10n }])
  })

  test('buys nothing of a plan that was closed since', () => {
    const plans = [{ id: 3n, unitsLeft: 10n, closed: true }]
    for (const state of ['cancelled', 'pending'] as const)
      expect(kinds(decide([late], { orders: [{ ...order, state, isReserved: false }], plans }))).toEqual(['late'])
  })
})

describe('a payment of something else', () => {
  test.each([
    ['less', { amount: 3999n }],
    ['more', { amount: 4001n }],
    ['another asset', { asset: 'USDT' as const }],
  ])('%s: by the one who ordered ends the order, by anyone else does not', (_what, change) => {
    expect(decide([{ ...exact, ...change }])).toMatchObject([{ kind: 'mismatch', unitsDelta: 10n }])
    expect(kinds(decide([{ ...exact, ...change, payer: OTHER }, exact]))).toEqual(['foreignMismatch', 'active'])
    const orders = [{ ...order, isReserved: false }]
    expect(decide([{ ...exact, ...change }], { orders })).toMatchObject([{ kind: 'mismatch', unitsDelta: 0n }])
  })
})

test('of two payments for one order the first wins', () => {
  expect(kinds(decide([exact, exact]))).toEqual(['active', 'alreadySettled'])
  expect(kinds(decide([{ ...exact, amount: 1n }, exact]))).toEqual(['mismatch', 'alreadySettled'])
})

test.each([
  ['late', { state: 'cancelled' as const, isReserved: false }, '01T13:00:00'],
  ['unreserved', { isReserved: false }, '01T12:10:00'],
])('the last units go to the first of two %s payments', (_what, change, time) => {
  const orders = [
    { ...order, ...change },
    { ...order, ...change, id: 2n, orderNo: 'ORDER2' },
  ]
  const payment = { ...exact, blockAt: at(time) }
  expect(kinds(decide([{ ...payment, reference: 'ORDER2' }, payment], { orders }))).toEqual(['active', 'soldOut'])
})

/** Applies what the decisions leave behind for the payments that come after them. */
function carryOut(facts: PurchaseFacts, decisions: PurchaseDecision[]): PurchaseFacts {
  const touched = decisions.flatMap((decision) => (decision.kind === 'unmatched' ? [] : [decision]))
  return {
    ...facts,
    orders: facts.orders.map((each) => {
      const decision = touched.find(({ order: { id } }) => id === each.id)
      return decision === undefined ? each : { ...each, state: decision.kind, isReserved: false }
    }),
    plans: facts.plans.map((plan) => {
      const mine = touched.filter((decision) => decision.order.planId === plan.id)
      return { ...plan, unitsLeft: mine.reduce((left, decision) => left + decision.unitsDelta, plan.unitsLeft) }
    }),
  }
}

const minutes = (count: number) => new Date(Date.UTC(2026, 2, 1, 12, count))
const anyOrder = (index: number): fc.Arbitrary<OrderFacts> =>
  fc
    .record({
      id: fc.constant(BigInt(index)),
      orderNo: fc.constant(`ORDER${index}`),
      memberId: fc.constant(7n),
      owner: fc.constantFrom(OWNER, OTHER),
      inviterId: fc.constant(null),
      planId: fc.constantFrom(1n, 2n),
      units: fc.bigInt(1n, 4n),
      asset: fc.constantFrom('JU' as const, 'USDT' as const),
      payable: fc.bigInt(1n, 3n),
      price: fc.bigInt(90n, 110n),
      state: fc.constantFrom('pending', 'pending', 'cancelled', 'active', 'late', 'mismatch', 'expired', 'soldOut'),
      isReserved: fc.boolean(),
      payBefore: fc.integer({ min: 0, max: 20 }).map(minutes),
      watchUntil: fc.integer({ min: 20, max: 40 }).map(minutes),
      termDays: fc.integer({ min: 1, max: 400 }),
    })
    .map((each) => ({ ...each, isReserved: each.isReserved && each.state === 'pending' }))
const anyPayment: fc.Arbitrary<PurchasePayment> = fc.record({
  reference: fc.integer({ min: 0, max: 4 }).map((index) => `ORDER${index}`),
  asset: fc.constantFrom('JU' as const, 'USDT' as const, 'HASH' as const),
  amount: fc.bigInt(1n, 3n),
  payer: fc.constantFrom(OWNER, OTHER),
  blockAt: fc.integer({ min: 0, max: 45 }).map(minutes),
})
const anyFacts: fc.Arbitrary<PurchaseFacts> = fc
  .record({
    orders: fc.tuple(anyOrder(0), anyOrder(1), anyOrder(2), anyOrder(3)),
    left: fc.tuple(fc.bigInt(0n, 6n), fc.bigInt(0n, 6n)),
    closed: fc.tuple(fc.boolean(), fc.boolean()),
    price: fc.option(fc.bigInt(90n, 110n)),
  })
  .map(({ orders, left, closed, price }) => ({
    orders,
    plans: [
      { id: 1n, unitsLeft: left[0], closed: closed[0] },
      { id: 2n, unitsLeft: left[1], closed: closed[1] },
    ],
    priceOf: (asset) => (asset === 'USDT' ? 100n : price),
    lateToleranceBps: 200,
    firstOpenDay: null,
  }))

/** Units of a plan that are on sale, reserved, or bought in this run: nothing else can happen to them. */
function allUnits(facts: PurchaseFacts, planId: bigint, boughtBefore: ReadonlySet<bigint>): bigint {
  const held = facts.orders.filter(
    (each) => each.planId === planId && (each.isReserved || (each.state === 'active' && !boughtBefore.has(each.id))),
  )
  const left = facts.plans.find((plan) => plan.id === planId)?.unitsLeft ?? 0n
  return held.reduce((sum, each) => sum + each.units, left)
}

test('property: no unit is lost, made or sold twice, and no order is settled twice', () => {
  fc.assert(
    fc.property(anyFacts, fc.array(anyPayment, { maxLength: 12 }), (facts, payments) => {
      const decisions = decidePurchases(payments, facts)
      const after = carryOut(facts, decisions)
      const boughtBefore = new Set(facts.orders.filter((each) => each.state === 'active').map((each) => each.id))
      for (const plan of after.plans) {
        expect(plan.unitsLeft).toBeGreaterThanOrEqual(0n)
        expect(allUnits(after, plan.id, boughtBefore)).toBe(allUnits(facts, plan.id, boughtBefore))
      }
      const settled = decisions.flatMap((decision) => (decision.kind === 'unmatched' ? [] : [decision.order.id]))
      expect(new Set(settled).size).toBe(settled.length)
    }),
    { numRuns: 500 },
  )
})

test('property: only an exact payment inside the watch buys, and only payments that name an order touch it', () => {
  fc.assert(
    fc.property(anyFacts, fc.array(anyPayment, { maxLength: 12 }), (facts, payments) => {
      for (const [index, decision] of decidePurchases(payments, facts).entries()) {
        const payment = payments[index]
        if (decision.kind === 'unmatched' || payment === undefined) continue
        expect(payment.reference).toBe(decision.order.orderNo)
        const isExact = payment.asset === decision.order.asset && payment.amount === decision.order.payable
        expect(isExact).toBe(decision.kind !== 'mismatch')
        expect(payment.blockAt <= decision.order.watchUntil).toBe(true)
        if (!isExact) expect(payment.payer).toBe(decision.order.owner)
      }
    }),
    { numRuns: 500 },
  )
})

test('property: how payments are cut into batches changes nothing', () => {
  fc.assert(
    fc.property(anyFacts, fc.array(anyPayment, { maxLength: 12 }), fc.nat(12), (facts, payments, cut) => {
      const first = decidePurchases(payments.slice(0, cut), facts)
      const second = decidePurchases(payments.slice(cut), carryOut(facts, first))
      expect(kinds([...first, ...second])).toEqual(kinds(decidePurchases(payments, facts)))
    }),
    { numRuns: 500 },
  )
})
