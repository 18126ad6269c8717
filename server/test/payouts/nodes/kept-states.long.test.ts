import { RpcError } from '@candela/server/chain/ask'
import { utcDay } from '@candela/protocol/calendar'
import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { payoutChain } from '@candela/server/chain/payout/payout-chain'
import { transaction } from '@candela/server/db/open'
import { silentLog } from '@candela/server/kernel/log'
import { composeAttesting } from '@candela/server/jobs/compose-attest'
import { WHOLE } from '@candela/server/modules/power/testing'
import { requestAttestation } from '@candela/server/modules/proof/attest/request-attestation'
import { payOut } from '@candela/server/modules/withdraw/payout/pay-out'
import { startTestChain, type TestChain } from '@candela/testing/chain/test-chain'
import { type Answer, type Call, startLyingProxy } from '@candela/testing/proxies/lying-proxy'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PayoutScenario, startPayoutScenario } from '../payouts-scenario.ts'

/** Blocks below its newest one of which the node keeps states. */
const KEPT = 8
const LARGE = 30
const STATES = new Set(['eth_call', 'eth_getBalance', 'eth_getTransactionCount', 'eth_getCode'])

let chain: TestChain
let node: Awaited<ReturnType<typeof startLyingProxy>>
let refused = 0
beforeAll(async () => {
  chain = await startTestChain({ atNoon: true })
  const numbers = new Map<unknown, bigint>()
  let newest = 0n
  /** Answers as a full node of geth does about a state that it has dropped. */
  const prune = (call: Call | undefined, answer: Answer): Answer => {
    const at = STATES.has(call?.method ?? '') ? call?.params.at(-1) : null
    const hash = typeof at === 'object' && at !== null && 'blockHash' in at ? at.blockHash : null
    const number = hash === null ? null : (numbers.get(hash) ?? 0n)
    if (number === null || number >= newest - BigInt(KEPT)) return answer
    refused += 1
    return { id: answer.id, error: { code: -32_000, message: `missing trie node (path ) state ${String(hash)}` } }
  }
  node = await startLyingProxy(chain.url, (calls) => (answers) => {
    for (const { result } of answers) {
      const block = result as { number?: unknown; hash?: unknown; parentHash?: unknown } | null
      if (typeof block !== 'object' || typeof block?.number !== 'string' || block.parentHash === undefined) continue
      numbers.set(block.hash, BigInt(block.number))
      if (BigInt(block.number) > newest) newest = BigInt(block.number)
    }
    return answers.map((answer) =>
      prune(
        calls.find(({ id }) => id === answer.id),
        answer,
      ),
    )
  })
})
afterAll(async () => {
  await node[Symbol.asyncDispose]()
  await chain.stop()
})

/** One comparison, one round of payouts, and one of attesting, on the scenario's node. Returns the words in which the node refuses. */
async function round(scenario: PayoutScenario, attest: () => Promise<boolean>): Promise<string[]> {
  const words: string[] = []
  for (const work of [() => scenario.reconcile(), () => payOut(scenario.payoutDeps()), attest]) {
    await work().catch((error: unknown) => {
      if (!(error instanceof RpcError)) throw error
      words.push(error.message)
    })
  }
  return words
}

function attesting(scenario: PayoutScenario, statesKept: number) {
  const { db, clock, gateway, nodes } = scenario
  const { client } = nodes
  const confirmations = { normal: 3, large: LARGE, largeAbove: 0n, statesKept }
  const payouts = payoutChain(client, { gateway, usdt: chain.usdt, hash: chain.hash })
  const config = { gateway, hash: chain.hash, confirmations }
  return composeAttesting({ db, client, payouts, config, clock, log: silentLog() }, scenario.attester)
}

test.each([
  { statesKept: 100, pays: false },
  { statesKept: KEPT, pays: true },
])(
  'payouts and attestations of which more confirmations are wanted than the node keeps states go on where states are asked for $statesKept blocks back: $pays',
  async ({ statesKept, pays }) => {
    await using scenario = await startPayoutScenario(chain, node.url, node.url, {
      large: LARGE,
      largeAbove: 0n,
      statesKept,
    })
    const attest = attesting(scenario, statesKept)
    await scenario.deposit(scenario.alice, 'JU', 100n * WHOLE)
    // Money is credited after all of its confirmations.
    expect((await scenario.balances(scenario.alice, 'JU')).available).toBe(0n)
    await scenario.mineAndFollow(LARGE)
    await scenario.credit()
    expect((await scenario.balances(scenario.alice, 'JU')).available).toBe(100n * WHOLE)
    await transaction(scenario.db, (tx) => requestAttestation(tx, utcDay(scenario.clock.now()), scenario.clock.now()))
    refused = 0
    const words = await round(scenario, attest)
    if (!pays) {
      expect(words.join()).toContain('missing trie node')
      return
    }
    expect(words).toEqual([])
    const { withdrawalNo } = await scenario.applyNow(scenario.alice, 'JU', 10n * WHOLE)
    for (const after of [3, LARGE]) {
      expect(await round(scenario, attest)).toEqual([])
      await scenario.mineAndFollow(after)
      await scenario.credit()
      expect(await round(scenario, attest)).toEqual([])
      // Paid out after all of its confirmations, too.
      expect(await scenario.state(withdrawalNo)).toBe(after < LARGE ? 'confirming' : 'done')
    }
    const said = await chain.client.readContract({
      address: scenario.gateway,
      abi: paymentGatewayAbi,
      functionName: 'lastAttestation',
    })
    expect((await scenario.db.selectFrom('attestation').select('state').executeTakeFirst())?.state).toBe('attested')
    expect(said.day).toBeGreaterThan(0)
    expect(refused).toBe(0)
    await scenario.expectSound()
  },
)
