import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import type { ActionKey } from '@candela/protocol/chain/action-data'
import { type AssetCode, assetCodes } from '@candela/protocol/money/assets'
import { startTestChain, type TestChain } from '@candela/testing/chain/test-chain'
import { utcDay } from '@candela/protocol/calendar'
import { expirePower } from '@candela/server/modules/power/holdings/expire-power'
import { transaction } from '@candela/server/db/open'
import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Random, seededRandom } from '../../simulate/run/random.ts'
import { assetAddress, DEPTH, type MadeOrder, type Scenario, startScenario } from './payments-scenario.ts'

const WHOLE = 10n ** 18n
const STEPS = 60

let chain: TestChain
beforeAll(async () => {
  chain = await startTestChain({ atNoon: true })
})
afterAll(() => chain.stop())

type Mix = { scenario: Scenario; random: Random; orders: MadeOrder[] }

/** Orders now and then, and sends up to three payments of any kind. They are in no block yet. */
async function payAnyhow(mix: Mix): Promise<void> {
  const { scenario, random, orders } = mix
  const { alice, bob, stranger } = scenario
  for (let count = random.below(4); count > 0; count--) {
    if (random.chance(0.5)) {
      // A plan that is sold out refuses, which is a normal result.
      const made = await scenario.order(random.pick(['JU', 'USDT']), random.pick([alice, bob])).catch(() => null)
      if (made !== null) orders.push(made)
    }
    await payOnce(mix, random.pick([alice, bob, stranger]))
  }
}

function payOnce({ scenario, random, orders }: Mix, from: Hex): Promise<Hex> {
  const made = orders.length > 0 && random.chance(0.8) ? random.pick(orders.slice(-10)) : undefined
  if (made !== undefined && random.chance(0.6)) return scenario.payExactly(made, from)
  if (random.chance(0.2)) return scenario.payNatively(BigInt(1 + random.below(1_000)), from)
  const key = random.pick<Exclude<ActionKey, 'native'>>(['buyPower', 'buyPower', 'deposit', 'revenue', 'repay'])
  const asset = key === 'revenue' && random.chance(0.7) ? 'HASH' : random.pick(assetCodes)
  const reference =
    key === 'revenue' ? random.pick([utcDay(scenario.clock.now()), 'soon']) : (made?.order.orderNo ?? 'NOT-AN-ORDER')
  const amount = random.chance(0.3) ? 100n * WHOLE : BigInt(1 + random.below(1_000))
  const customer = random.pick([scenario.alice, scenario.bob, scenario.stranger])
  return chain.pay({ key, asset: assetAddress(chain, asset), amount, reference, customer, from })
}

/** Replaces up to the last blocks that nothing was credited of. Of the payments that were there, some never come back. */
async function reorganise(mix: Mix): Promise<void> {
  const { scenario, random } = mix
  const depth = 1 + random.below(DEPTH - 1)
  const head = await chain.client.getBlockNumber()
  const dropped: { raw: Hex; from: Hex }[] = []
  for (let number = head - BigInt(depth) + 1n; number <= head; number++) {
    const block = await chain.client.getBlock({ blockNumber: number, includeTransactions: true })
    for (const { hash, from } of block.transactions) dropped.push({ raw: await chain.rawOf(hash), from })
  }
  await chain.reorganise(depth)
  // A later transaction of a sender cannot come back without those that came before it.
  const gone = new Set<string>()
  for (const { raw, from } of dropped) {
    if (random.chance(0.2)) gone.add(from)
    if (!gone.has(from)) await chain.client.sendRawTransaction({ serializedTransaction: raw })
  }
  await scenario.mineAndFollow()
}

async function step(mix: Mix): Promise<void> {
  const { scenario, random } = mix
  scenario.prices.ju = random.chance(0.1) ? null : 2n * WHOLE + (BigInt(random.below(200) - 100) * WHOLE) / 1_000n
  await payAnyhow(mix)
  await scenario.mineAndFollow()
  if (random.chance(0.25)) await reorganise(mix)
  if (random.chance(0.15)) await scenario.wait(random.pick([16 * 60, 16 * 60, 16 * 60, 25 * 3_600]))
  if (random.chance(0.3)) await scenario.sweep()
  if (random.chance(0.4)) await scenario.credit()
}

/** Every payment that the chain holds in the end was credited, once, and nothing else was. */
async function expectEachPaymentOnce(scenario: Scenario, fromBlock: bigint): Promise<number> {
  const logs = await chain.client.getContractEvents({
    address: chain.gateway,
    abi: paymentGatewayAbi,
    eventName: 'TransactionDetails',
    fromBlock,
    toBlock: 'latest',
  })
  const events = await scenario.events()
  expect(events.map((event) => `${event.tx_hash}/${event.log_index}`)).toEqual(
    logs.map((log) => `${log.transactionHash}/${log.logIndex}`),
  )
  expect(events.filter(({ state }) => state !== 'credited')).toEqual([])
  return events.length
}

/** Orders, units, power and money agree with each other. */
async function expectPowerToMatchTheMoney(scenario: Scenario): Promise<void> {
  const orders = await scenario.db.selectFrom('power_order').selectAll().execute()
  const units = (...states: string[]) =>
    orders.filter(({ state }) => states.includes(state)).reduce((sum, order) => sum + order.units, 0n)
  const reserved = orders.reduce((sum, order) => (order.is_reserved ? sum + order.units : sum), 0n)
  expect(await scenario.unitsLeft()).toBe(100n - reserved - units('active', 'expired'))
  const power = await scenario.db.selectFrom('member_power').selectAll().execute()
  expect(power.reduce((sum, each) => sum + each.active_units, 0n)).toBe(units('active'))
  const sold = orders.filter(({ state }) => state === 'active' || state === 'expired')
  expect(power.reduce((sum, each) => sum + each.purchased_usdt, 0n)).toBe(
    sold.reduce((sum, order) => sum + order.cost_usdt, 0n),
  )

  const events = await scenario.events()
  const sum = (asset: AssetCode, ...outcomes: string[]) =>
    events
      .filter((event) => event.asset === asset && outcomes.includes(event.outcome ?? ''))
      .reduce((total, event) => total + event.amount, 0n)
  for (const asset of assetCodes) {
    const bought = sold.filter((order) => order.asset === asset)
    expect(await scenario.platform('salesRevenue', asset)).toBe(
      bought.reduce((total, { payable }) => total + payable, 0n),
    )
    expect(sum(asset, 'order')).toBe(await scenario.platform('salesRevenue', asset))
    expect(sum(asset, 'suspense')).toBe(await scenario.platform('suspense', asset))
    expect(sum(asset, 'revenue')).toBe(await scenario.platform('revenuePool', asset))
    const balances = (await scenario.available(scenario.alice, asset)) + (await scenario.available(scenario.bob, asset))
    expect(sum(asset, 'balance')).toBe(balances)
  }
}

/** Runs one seed to its end and checks the outcome. Returns outcomes and states that occurred. */
async function runMix(seed: number): Promise<{ payments: number; outcomes: string[]; states: string[] }> {
  await using scenario = await startScenario(chain)
  const fromBlock = await chain.client.getBlockNumber()
  const mix: Mix = { scenario, random: seededRandom(seed), orders: [] }
  for (let nth = 0; nth < STEPS; nth++) await step(mix)
  await scenario.mineAndFollow(DEPTH)
  while ((await scenario.credit()).credited > 0);
  await scenario.wait(25 * 3_600)
  await scenario.bookDust()

  const payments = await expectEachPaymentOnce(scenario, fromBlock)
  await scenario.expectBooksToMatchTheChain()
  await expectPowerToMatchTheMoney(scenario)
  const outcomes = (await scenario.events()).map(({ outcome }) => outcome ?? 'none')
  const orders = await scenario.db.selectFrom('power_order').select('state').execute()

  const monthsLater = new Date(scenario.clock.now().getTime() + 60 * 86_400_000)
  await transaction(scenario.db, (tx) => expirePower(tx, monthsLater))
  await expectPowerToMatchTheMoney(scenario)
  return { payments, outcomes, states: orders.map(({ state }) => state) }
}

test('any payments, waits, sweeps and reorganisations: every base unit is where it belongs', async () => {
  const results = [await runMix(1), await runMix(2), await runMix(3)]
  // Every kind of outcome must have occurred.
  expect(results.every(({ payments }) => payments > 40)).toBe(true)
  const outcomes = results.flatMap((result) => result.outcomes)
  expect(new Set(outcomes)).toEqual(new Set(['balance', 'order', 'revenue', 'suspense']))
  const states = results.flatMap((result) => result.states)
  expect(new Set(states)).toEqual(new Set(['pending', 'active', 'cancelled', 'late', 'mismatch']))
})
