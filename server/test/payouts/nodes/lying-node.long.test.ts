import { CHAIN_ID } from '@candela/protocol/chain/network'
import { RpcError } from '@candela/server/chain/ask'
import { WHOLE } from '@candela/server/modules/power/testing'
import { payOut } from '@candela/server/modules/withdraw/payout/pay-out'
import { startTestChain, type TestChain } from '@candela/testing/chain/test-chain'
import { type Lie, lies, tell } from '@candela/testing/proxies/lies'
import { type LieAbout, startLyingProxy } from '@candela/testing/proxies/lying-proxy'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEPTH, type PayoutScenario, startPayoutScenario } from '../payouts-scenario.ts'
import { priceOut } from '../payouts-steps.ts'

/** As many requests as the longest of these rounds has, and calls as one of its requests has. */
const REQUESTS = 5
const CALLS = 3

let chain: TestChain
let lieAbout: LieAbout = () => null
let proxy: Awaited<ReturnType<typeof startLyingProxy>>
beforeAll(async () => {
  chain = await startTestChain({ atNoon: true })
  proxy = await startLyingProxy(chain.url, (calls) => lieAbout(calls))
})
afterAll(async () => {
  await proxy[Symbol.asyncDispose]()
  await chain.stop()
})

/** Withdrawals of two members that are signed and offered, and in no block. */
async function twoUnderWay(scenario: PayoutScenario): Promise<string[]> {
  await scenario.deposit(scenario.alice, 'JU', 100n * WHOLE)
  await scenario.deposit(scenario.bob, 'JU', 100n * WHOLE)
  const first = await scenario.apply(scenario.alice, 'JU', 10n * WHOLE)
  const second = await scenario.apply(scenario.bob, 'JU', 10n * WHOLE)
  await scenario.payOut()
  return [first.withdrawalNo, second.withdrawalNo]
}

/** One round of paying out. Answers that cannot be used end it. */
async function round(scenario: PayoutScenario): Promise<void> {
  try {
    await payOut(scenario.payoutDeps())
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
  }
}

const statesOf = (scenario: PayoutScenario, numbers: readonly string[]) =>
  Promise.all(numbers.map((number) => scenario.state(number)))

/**
 * Rounds in each of which the node lies about one call of one request.
 * @returns how many lies it told
 */
async function lyingRounds(scenario: PayoutScenario, lie: Lie, after: () => Promise<void>): Promise<number> {
  let told = 0
  for (let request = 0; request < REQUESTS; request++) {
    for (let nth = 0; nth < CALLS; nth++) {
      let requests = 0
      lieAbout = (calls) => {
        if (requests++ !== request || nth >= calls.length) return null
        told += 1
        return (answers) => tell(lie, answers, nth)
      }
      await round(scenario)
      await after()
    }
  }
  lieAbout = () => null
  return told
}

test.each(lies)('a node with %s answers has no payout given back and paid', async (lie) => {
  await using scenario = await startPayoutScenario(chain, proxy.url)
  const numbers = await twoUnderWay(scenario)
  // Blocks go by in which nothing is cheap enough: a round asks for a gas price, too.
  await priceOut(chain, scenario)
  const waiting = await lyingRounds(scenario, lie, async () =>
    expect(await statesOf(scenario, numbers)).toEqual(['sending', 'sending']),
  )
  expect(waiting).toBeGreaterThan(1)
  await scenario.setBaseFee(10n ** 9n)
  await chain.mine()
  // Mined and not followed: the node knows more than the service.
  await lyingRounds(scenario, lie, async () =>
    expect(await statesOf(scenario, numbers)).toEqual(['sending', 'sending']),
  )
  await scenario.mineAndFollow(DEPTH)
  expect(await scenario.credit()).toMatchObject({ failed: 0 })
  await lyingRounds(scenario, lie, async () => expect(await statesOf(scenario, numbers)).toEqual(['done', 'done']))
  expect(await scenario.paidEvents()).toHaveLength(2)
  await scenario.expectSound()
})

test('a payout whose nonce was used by something else is given back in a round without a lie, and in none with one', async () => {
  await using scenario = await startPayoutScenario(chain, proxy.url)
  const [number = ''] = await twoUnderWay(scenario)
  const [sent] = await scenario.transactions()
  await chain.client.dropTransaction({ hash: (sent?.hash ?? '0x') as Hex })
  const account = privateKeyToAccount(scenario.key)
  const foreign = {
    chainId: CHAIN_ID,
    nonce: Number(sent?.nonce),
    gasPrice: 10n ** 10n,
    gas: 21_000n,
    to: scenario.stranger,
  }
  await chain.client.sendRawTransaction({ serializedTransaction: await account.signTransaction(foreign) })
  await scenario.mineAndFollow(DEPTH)
  let requests = 0
  lieAbout = () => {
    requests += 1
    return (answers) => tell('dropped', answers, 1)
  }
  await round(scenario)
  expect(requests).toBeGreaterThan(0)
  expect(await scenario.state(number)).toBe('sending')
  lieAbout = () => null
  await round(scenario)
  expect(await scenario.state(number)).toBe('failed')
})
