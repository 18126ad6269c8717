import { NATIVE_ASSET, rechargeDataTypes } from '@candela/protocol/chain/action-data'
import { erc20Abi } from '@candela/protocol/abi/erc20'
import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { assetCodes } from '@candela/protocol/money/assets'
import { readFollowerStatus } from '@candela/server/chain/follow/status'
import { addDays, utcDay } from '@candela/protocol/calendar'
import { must } from '@candela/server/kernel/assert'
import { HANGS_AFTER_MS } from '@candela/testing/limits'
import { closeDays } from '@candela/server/modules/income/close-days'
import { readDeposits } from '@candela/server/modules/deposit/read-deposits'
import * as fc from 'fast-check'
import { encodeAbiParameters, encodeFunctionData, type Hex, keccak256, numberToHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestChain, type TestChain } from '@candela/testing/chain/test-chain'
import { type AnyPayment, anyPayments, eventData, onePaymentOfEachKind, sayingAnything } from './payment-inputs.ts'
import { assetAddress, DEPTH, type Scenario, startScenario } from './payments-scenario.ts'

/** More by `FUZZ_PAYMENTS=10000 npx vitest run server/test/payments/payments-fuzz.long.test.ts`. */
const FUZZ_PAYMENTS = Number(process.env['FUZZ_PAYMENTS'] ?? 300)
const limit_ms = 2 * HANGS_AFTER_MS * Math.max(1, FUZZ_PAYMENTS / 300)
const IN_A_BLOCK = 50
const DAY_S = 86_400
/** Where the tokens keep balances. */
const BALANCES_SLOT = 0n

let chain: TestChain
beforeAll(async () => {
  chain = await startTestChain({ atNoon: true })
})
afterAll(() => chain.stop())

/** Sends it. It is in no block yet. */
async function send(payment: AnyPayment): Promise<Hex> {
  const { amount, from } = payment
  switch (payment.by) {
    case 'native':
      return chain.send(from, chain.gateway, '0x', amount)
    case 'transfer': {
      const args = [chain.gateway, amount] as const
      return chain.send(
        from,
        assetAddress(chain, payment.asset),
        encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args }),
      )
    }
    case 'event':
      return chain.send(from, chain.gateway, eventData(NATIVE_ASSET, amount, payment.remark, payment.people), amount)
    case 'call':
      break
  }
  return recharge(payment)
}

function recharge(payment: Extract<AnyPayment, { by: 'call' }>): Promise<Hex> {
  const { key, asset, amount, customer, reference, from } = payment
  const terms = [amount, assetAddress(chain, asset), customer, reference] as const
  const args = [key, encodeAbiParameters(rechargeDataTypes, terms)] as const
  const data = encodeFunctionData({ abi: paymentGatewayAbi, functionName: 'recharge', args })
  return chain.send(from, chain.gateway, data, asset === 'JU' ? amount : 0n)
}

/** Gives an account more than there is of anything. */
async function enrich(address: Hex): Promise<void> {
  await chain.client.setBalance({ address, value: 2n ** 120n })
  for (const token of [chain.usdt, chain.hash]) {
    const index = keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [address, BALANCES_SLOT]))
    await chain.client.setStorageAt({ address: token, index, value: numberToHex(2n ** 250n, { size: 32 }) })
    const args = [address] as const
    const found = await chain.client.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args })
    expect(found).toBe(2n ** 250n)
  }
}

/** Sends payments in blocks of some, and reads and credits them. Returns the hashes of those that moved money. */
async function payAll(scenario: Scenario, payments: readonly AnyPayment[]): Promise<string[]> {
  const arrived: string[] = []
  for (let first = 0; first < payments.length; first += IN_A_BLOCK) {
    const some = payments.slice(first, first + IN_A_BLOCK)
    const hashes: Hex[] = []
    for (const payment of some) hashes.push(await send(payment))
    await scenario.mineAndFollow()
    for (const [index, hash] of hashes.entries()) {
      const { status } = await chain.client.getTransactionReceipt({ hash })
      // A transfer or an event of nothing is no money. A call for nothing is refused.
      if (status === 'success' && must(some[index], 'each has a hash').amount > 0n) arrived.push(hash)
    }
    expect(await scenario.credit()).toMatchObject({ failed: 0 })
  }
  await scenario.mineAndFollow(DEPTH)
  for (;;) {
    const { credited, failed } = await scenario.credit()
    expect(failed).toBe(0)
    if (credited === 0) return arrived
  }
}

test(
  `${FUZZ_PAYMENTS} payments of any text, tuple and amount: each ends where money may end, and nothing halts`,
  async () => {
    await using scenario = await startScenario(chain)
    const { db, alice, bob, stranger, clock } = scenario
    const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 31)
    const orders = [await scenario.order('USDT'), await scenario.order('JU', bob), await scenario.order('USDT', bob)]
    await scenario.payExactly(must(orders[0], 'it was made'))
    for (const address of [alice, bob, stranger]) await enrich(address)
    const known = {
      senders: [alice, bob, stranger],
      people: [alice, bob, stranger, NATIVE_ASSET as Hex, chain.gateway, chain.usdt],
      references: orders.map(({ order }) => order.orderNo),
      today: utcDay(clock.now()),
    }
    const payments = [
      ...onePaymentOfEachKind(known),
      ...fc.sample(anyPayments(known), { numRuns: FUZZ_PAYMENTS, seed }),
    ]
    const said = payments.filter((payment) => payment.by === 'event' && payment.amount > 0n)
    const code = must(await chain.client.getCode({ address: chain.gateway }), 'the gateway has code')

    const arrived = await payAll(
      scenario,
      payments.filter((payment) => payment.by !== 'event'),
    )
    await chain.client.setCode({ address: chain.gateway, bytecode: sayingAnything })
    const heard = await payAll(scenario, said)
    expect(heard.length).toBe(said.length)
    arrived.push(...heard)
    await chain.client.setCode({ address: chain.gateway, bytecode: code })

    // A payment that is too little to be told by itself is booked when its day is over.
    await scenario.wait(86_400)
    await scenario.mineAndFollow(DEPTH)
    await scenario.bookDust()
    const events = await scenario.events()
    const paid = new Set(arrived)
    expect(events.filter(({ tx_hash }) => !paid.delete(tx_hash)).length, `FUZZ_SEED=${seed}`).toBe(1)
    expect([...paid], `FUZZ_SEED=${seed}`).toEqual([])
    expect(new Set(events.map(({ state }) => state))).toEqual(new Set(['credited']))
    expect(await readFollowerStatus(db, clock.now())).toMatchObject({ haltedReason: null, waiting: 0, failing: 0 })
    await scenario.expectBooksToMatchTheChain()
    for (const asset of assetCodes) {
      const sum = (outcome: string) =>
        events
          .filter((one) => one.asset === asset && one.outcome === outcome)
          .reduce((all, one) => all + one.amount, 0n)
      expect([asset, await scenario.platform('suspense', asset)]).toEqual([asset, sum('suspense')])
      const balances = (await scenario.available(alice, asset)) + (await scenario.available(bob, asset))
      expect([asset, balances]).toEqual([asset, sum('balance')])
    }
    // Fuzz that the contract refuses, or that all ends in one place, would test little.
    expect(events.length).toBeGreaterThan(FUZZ_PAYMENTS / 3)
    expect(new Set(events.map(({ outcome }) => outcome))).toEqual(new Set(['balance', 'suspense', 'revenue', 'order']))
    expect(new Set(events.map(({ action }) => action))).toEqual(
      new Set(['buyPower', 'deposit', 'revenue', 'repay', 'native', 'transfer', 'unknown']),
    )
    expect(events.some(({ reference }) => reference.includes('\uFFFD'))).toBe(true)

    // The written payments can be read, and the days that they name can be closed.
    for (const owner of [alice, bob]) {
      const read = await readDeposits(db, { memberId: scenario.memberOf(owner), limit: FUZZ_PAYMENTS })
      expect(read.length).toBeGreaterThan(10)
    }
    const today = utcDay(clock.now())
    await scenario.wait(3 * DAY_S)
    await scenario.mineAndFollow(DEPTH)
    await closeDays({ db, clock, depth: DEPTH, maxWait_ms: 0 }, addDays(today, 1))
    const closed = await db.selectFrom('income_day').select('day').where('closed_at', 'is not', null).execute()
    expect(closed.map(({ day }) => day).at(-1)).toBe(addDays(today, 1))
    await scenario.expectBooksToMatchTheChain()
  },
  limit_ms,
)
