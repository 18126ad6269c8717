import { utcDay } from '@candela/protocol/calendar'
import type { AssetCode } from '@candela/protocol/money/assets'
import { startTestChain, type TestChain } from '@candela/testing/chain/test-chain'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { assetAddress, DEPTH, type Scenario, startScenario } from './payments-scenario.ts'

const WHOLE = 10n ** 18n
const MINUTES = 60
const HOURS = 3_600

let chain: TestChain
beforeAll(async () => {
  chain = await startTestChain({ atNoon: true })
})
afterAll(() => chain.stop())

/** One way to pay: what was before, the one payment, and what must be true when it has been credited. */
type Kind = {
  name: string
  /** Sends one payment and returns its transaction; it is in no block yet. What it learns goes into the check. */
  pay: (scenario: Scenario) => Promise<{ hash: Hex; check: () => Promise<void> }>
}

/** Sends a `recharge` that no order dictated. */
const recharge = (
  { chain: on }: Scenario,
  from: Hex,
  terms: {
    key?: 'buyPower' | 'deposit' | 'revenue' | 'repay'
    asset: AssetCode
    amount: bigint
    reference?: string
    customer?: Hex
  },
): Promise<Hex> => on.pay({ key: 'buyPower', ...terms, asset: assetAddress(on, terms.asset), from })

/** The money of a payment is on the member's balance and nowhere else. */
async function expectOnBalance(scenario: Scenario, owner: Hex, asset: AssetCode, amount: bigint): Promise<void> {
  expect(await scenario.available(owner, asset)).toBe(amount)
  expect(await scenario.platform('suspense', asset)).toBe(0n)
}

const kinds: Kind[] = [
  {
    name: 'of exactly an order, in time: buys it',
    pay: async (scenario) => {
      const made = await scenario.order()
      const check = async () => {
        const order = await scenario.orderNow(made)
        expect(order).toMatchObject({ state: 'active', payment: { outcome: 'order', amount: '100' } })
        expect(await scenario.platform('salesRevenue', 'USDT')).toBe(100n * WHOLE)
        expect(await scenario.unitsLeft()).toBe(96n)
      }
      return { hash: await scenario.payExactly(made), check }
    },
  },
  {
    name: 'of exactly an order in the native currency: buys it',
    pay: async (scenario) => {
      const made = await scenario.order('JU')
      const check = async () => {
        expect(await scenario.orderNow(made)).toMatchObject({ state: 'active', payment: { asset: 'JU', amount: '50' } })
        expect(await scenario.platform('salesRevenue', 'JU')).toBe(50n * WHOLE)
      }
      return { hash: await scenario.payExactly(made), check }
    },
  },
  {
    name: 'after the order expired, price moved by less than 2 %: buys it at the order’s price',
    pay: async (scenario) => {
      const made = await scenario.order('JU')
      await scenario.wait(16 * MINUTES)
      expect(await scenario.sweep()).toBe(1)
      expect(await scenario.unitsLeft()).toBe(100n)
      scenario.prices.ju = (2n * WHOLE * 1_019n) / 1_000n
      const check = async () => {
        expect(await scenario.orderNow(made)).toMatchObject({ state: 'active', price: '2' })
        expect(await scenario.unitsLeft()).toBe(96n)
      }
      return { hash: await scenario.payExactly(made), check }
    },
  },
  {
    name: 'after the order expired, price moved by 2 %: late, and on the balance',
    pay: async (scenario) => {
      const made = await scenario.order('JU')
      await scenario.wait(16 * MINUTES)
      await scenario.sweep()
      scenario.prices.ju = (2n * WHOLE * 98n) / 100n
      const check = async () => {
        expect(await scenario.orderNow(made)).toMatchObject({ state: 'late', payment: { outcome: 'balance' } })
        await expectOnBalance(scenario, scenario.alice, 'JU', 50n * WHOLE)
        expect(await scenario.unitsLeft()).toBe(100n)
      }
      return { hash: await scenario.payExactly(made), check }
    },
  },
  {
    name: 'after the order expired and its units were sold: sold out, and on the balance',
    pay: async (scenario) => {
      const made = await scenario.order()
      await scenario.wait(16 * MINUTES)
      await scenario.sweep()
      await scenario.db.updateTable('power_plan').set({ units_left: 3n }).execute()
      const check = async () => {
        expect(await scenario.orderNow(made)).toMatchObject({ state: 'soldOut', payment: { outcome: 'balance' } })
        await expectOnBalance(scenario, scenario.alice, 'USDT', 100n * WHOLE)
        expect(await scenario.unitsLeft()).toBe(3n)
      }
      return { hash: await scenario.payExactly(made), check }
    },
  },
  {
    name: 'of an order that is not watched any more: on the balance',
    pay: async (scenario) => {
      const made = await scenario.order()
      // With blocks meanwhile: a chain that stands still gives its time back.
      for (let step = 0; step < 50; step += 1) {
        await scenario.wait(HOURS / 2)
        await scenario.mineAndFollow()
      }
      await scenario.sweep()
      const check = async () => {
        expect(await scenario.orderNow(made)).toMatchObject({ state: 'cancelled', payment: null })
        await expectOnBalance(scenario, scenario.alice, 'USDT', 100n * WHOLE)
      }
      return { hash: await scenario.payExactly(made), check }
    },
  },
  {
    name: 'of an unknown order: on the balance',
    pay: async (scenario) => {
      const check = () => expectOnBalance(scenario, scenario.bob, 'USDT', 9n * WHOLE)
      const terms = { asset: 'USDT', amount: 9n * WHOLE, reference: '20200101-NOBODYKNOW' } as const
      return { hash: await recharge(scenario, scenario.bob, terms), check }
    },
  },
  {
    name: 'of an order that is paid already: on the balance',
    pay: async (scenario) => {
      const made = await scenario.order()
      await scenario.payExactly(made)
      await scenario.mineAndFollow(DEPTH)
      expect(await scenario.credit()).toEqual({ credited: 1, failed: 0 })
      const check = async () => {
        expect(await scenario.orderNow(made)).toMatchObject({ state: 'active' })
        await expectOnBalance(scenario, scenario.alice, 'USDT', 100n * WHOLE)
        expect(await scenario.platform('salesRevenue', 'USDT')).toBe(100n * WHOLE)
        expect(await scenario.unitsLeft()).toBe(96n)
      }
      return { hash: await scenario.payExactly(made), check }
    },
  },
  ...([-1n, 1n] as const).map((difference): Kind => ({
    name: `of one base unit too ${difference < 0n ? 'little' : 'much'}: mismatch, and on the balance`,
    pay: async (scenario) => {
      const made = await scenario.order()
      const amount = 100n * WHOLE + difference
      const check = async () => {
        expect(await scenario.orderNow(made)).toMatchObject({ state: 'mismatch', payment: { outcome: 'balance' } })
        await expectOnBalance(scenario, scenario.alice, 'USDT', amount)
        expect(await scenario.unitsLeft()).toBe(100n)
      }
      const terms = { asset: 'USDT', amount, reference: made.order.orderNo } as const
      return { hash: await recharge(scenario, scenario.alice, terms), check }
    },
  })),
  {
    name: 'in another asset: mismatch, and on the balance',
    pay: async (scenario) => {
      const made = await scenario.order()
      const check = async () => {
        expect(await scenario.orderNow(made)).toMatchObject({ state: 'mismatch', payment: { asset: 'HASH' } })
        await expectOnBalance(scenario, scenario.alice, 'HASH', 100n * WHOLE)
      }
      const terms = { asset: 'HASH', amount: 100n * WHOLE, reference: made.order.orderNo } as const
      return { hash: await recharge(scenario, scenario.alice, terms), check }
    },
  },
  {
    name: 'by an address without an account, of exactly a member’s order: buys it for the member',
    pay: async (scenario) => {
      const made = await scenario.order()
      const check = async () => {
        const payment = { payer: scenario.stranger, outcome: 'order' }
        expect(await scenario.orderNow(made)).toMatchObject({ state: 'active', payment })
        expect(await scenario.platform('suspense', 'USDT')).toBe(0n)
      }
      return { hash: await scenario.payExactly(made, scenario.stranger), check }
    },
  },
  {
    name: 'by an address without an account, of no order: in suspense',
    pay: async (scenario) => {
      const check = async () => expect(await scenario.platform('suspense', 'USDT')).toBe(5n * WHOLE)
      const terms = { asset: 'USDT', amount: 5n * WHOLE, reference: 'NOTHING-0', customer: scenario.alice } as const
      return { hash: await recharge(scenario, scenario.stranger, terms), check }
    },
  },
  {
    name: 'by an address without an account, too little for a member’s order: in suspense, and the order can still be paid',
    pay: async (scenario) => {
      const made = await scenario.order()
      const check = async () => {
        expect(await scenario.platform('suspense', 'USDT')).toBe(1n)
        expect(await scenario.orderNow(made)).toMatchObject({ state: 'pending', payment: null })
        await scenario.payExactly(made)
        await scenario.mineAndFollow(DEPTH)
        expect(await scenario.credit()).toEqual({ credited: 1, failed: 0 })
        expect(await scenario.orderNow(made)).toMatchObject({ state: 'active' })
      }
      const terms = { asset: 'USDT', amount: 1n, reference: made.order.orderNo } as const
      return { hash: await recharge(scenario, scenario.stranger, terms), check }
    },
  },
  {
    name: 'as a plain native transfer by a member: on the balance',
    pay: async (scenario) => {
      const check = () => expectOnBalance(scenario, scenario.bob, 'JU', 3n)
      return { hash: await scenario.payNatively(3n, scenario.bob), check }
    },
  },
  {
    name: 'as a plain native transfer by an address without an account: in suspense',
    pay: async (scenario) => {
      const check = async () => expect(await scenario.platform('suspense', 'JU')).toBe(4n)
      return { hash: await scenario.payNatively(4n, scenario.stranger), check }
    },
  },
  {
    name: 'as a deposit for another member: on that one’s balance',
    pay: async (scenario) => {
      const check = () => expectOnBalance(scenario, scenario.bob, 'HASH', 8n)
      const terms = { key: 'deposit', asset: 'HASH', amount: 8n, customer: scenario.bob } as const
      return { hash: await recharge(scenario, scenario.stranger, terms), check }
    },
  },
  {
    name: 'of a day’s revenue: in the revenue pool',
    pay: async (scenario) => {
      const check = async () => expect(await scenario.platform('revenuePool', 'HASH')).toBe(6n)
      const terms = { key: 'revenue', asset: 'HASH', amount: 6n, reference: utcDay(scenario.clock.now()) } as const
      return { hash: await recharge(scenario, scenario.alice, terms), check }
    },
  },
  {
    name: 'of a loan that nobody has: on the balance',
    pay: async (scenario) => {
      const check = () => expectOnBalance(scenario, scenario.alice, 'USDT', 2n)
      const terms = { key: 'repay', asset: 'USDT', amount: 2n, reference: 'L1' } as const
      return { hash: await recharge(scenario, scenario.alice, terms), check }
    },
  },
]

/** Waits for the depth, credits, and looks: once more changes nothing, and the books are those of the chain. */
async function creditAndCheck(scenario: Scenario, check: () => Promise<void>): Promise<void> {
  await scenario.mineAndFollow(DEPTH - 2)
  expect(await scenario.credit()).toEqual({ credited: 0, failed: 0 })
  await scenario.mineAndFollow()
  expect(await scenario.credit()).toEqual({ credited: 1, failed: 0 })
  expect(await scenario.credit()).toEqual({ credited: 0, failed: 0 })
  await check()
  expect((await scenario.events()).filter(({ state }) => state === 'recorded')).toEqual([])
  await scenario.expectBooksToMatchTheChain()
}

describe.each(kinds)('a payment $name', ({ pay }) => {
  test('straight', async () => {
    await using scenario = await startScenario(chain)
    const { hash, check } = await pay(scenario)
    await scenario.mineAndFollow()
    expect((await scenario.events()).at(-1)).toMatchObject({ tx_hash: hash, state: 'recorded' })
    await creditAndCheck(scenario, check)
  })

  test('with a reorganisation between payment and depth', async () => {
    await using scenario = await startScenario(chain)
    const { hash, check } = await pay(scenario)
    await scenario.mineAndFollow(DEPTH - 1)
    const raw = await chain.rawOf(hash)
    const recorded = await scenario.events()
    expect(recorded.at(-1)).toMatchObject({ tx_hash: hash, state: 'recorded' })

    await chain.reorganise(DEPTH - 1)
    await scenario.mineAndFollow()
    expect((await scenario.events()).map(({ id }) => id)).toEqual(recorded.slice(0, -1).map(({ id }) => id))
    await scenario.mineAndFollow(DEPTH)
    expect(await scenario.credit()).toEqual({ credited: 0, failed: 0 })

    expect(await chain.client.sendRawTransaction({ serializedTransaction: raw })).toBe(hash)
    await scenario.mineAndFollow()
    expect((await scenario.events()).at(-1)).toMatchObject({ tx_hash: hash, state: 'recorded' })
    await creditAndCheck(scenario, check)
  })
})

test('two payments of one order, confirmed in one block: one buys it, the other is on the balance', async () => {
  await using scenario = await startScenario(chain)
  const made = await scenario.order('JU')
  // A prompt of the wallet that nobody waited for any longer, and the one that was opened after it.
  const hashes = [await scenario.payExactly(made), await scenario.payExactly(made)]
  await scenario.mineAndFollow()
  const events = await scenario.events()
  expect(events.map(({ tx_hash }) => tx_hash)).toEqual(hashes)
  expect(new Set(events.map(({ block_number }) => block_number)).size).toBe(1)
  expect(await scenario.orderNow(made)).toMatchObject({ state: 'confirming' })
  await scenario.mineAndFollow(DEPTH - 1)
  expect(await scenario.credit()).toEqual({ credited: 2, failed: 0 })
  expect(await scenario.orderNow(made)).toMatchObject({ state: 'active', payment: { txHash: hashes[0] } })
  await expectOnBalance(scenario, scenario.alice, 'JU', 50n * WHOLE)
  expect(await scenario.platform('salesRevenue', 'JU')).toBe(50n * WHOLE)
  expect(await scenario.unitsLeft()).toBe(96n)
  await scenario.expectBooksToMatchTheChain()
})
