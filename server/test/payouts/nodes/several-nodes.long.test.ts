import { NATIVE_ASSET } from '@candela/protocol/chain/action-data'
import { CHAIN_ID } from '@candela/protocol/chain/network'
import { RpcError } from '@candela/server/chain/ask'
import { LEAVES_AFTER_MS } from '@candela/server/chain/nodes/health'
import { transaction } from '@candela/server/db/open'
import { ruleDispute, listDisputes } from '@candela/server/chain/nodes/disputes'
import { WHOLE } from '@candela/server/modules/power/testing'
import { payOut } from '@candela/server/modules/withdraw/payout/pay-out'
import type { TestChain } from '@candela/testing/chain/test-chain'
import { type LieAbout, otherResults, standsAt } from '@candela/testing/proxies/lying-proxy'
import { type Hex, toFunctionSelector } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { DEPTH, type PayoutScenario, startPayoutScenario } from '../payouts-scenario.ts'
import { honest, startThreeNodes, type ThreeNodes } from './three-nodes.ts'

const IS_PAID = toFunctionSelector('isPaid(bytes32)')

let chain: TestChain
let nodes: ThreeNodes
beforeAll(async () => {
  nodes = await startThreeNodes()
  chain = nodes.chain
})
afterEach(() => {
  nodes.firstTells = honest
})
afterAll(() => nodes.stop())

const one = () => nodes.urls.slice(0, 1)
const two = () => nodes.urls.slice(0, 2)
const three = () => nodes.urls.slice()

async function round(scenario: PayoutScenario): Promise<void> {
  try {
    await payOut(scenario.payoutDeps())
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
  }
}

async function underWay(scenario: PayoutScenario): Promise<string> {
  await scenario.deposit(scenario.alice, 'JU', 100n * WHOLE)
  const { withdrawalNo } = await scenario.apply(scenario.alice, 'JU', 10n * WHOLE)
  await scenario.payOut()
  expect(await scenario.state(withdrawalNo)).toBe('sending')
  return withdrawalNo
}

/** Another transaction takes the nonce of the payment, for good. */
async function useNonce(scenario: PayoutScenario): Promise<void> {
  const [sent] = await scenario.transactions()
  await chain.client.dropTransaction({ hash: (sent?.hash ?? '0x') as Hex })
  const raw = await privateKeyToAccount(scenario.key).signTransaction({
    chainId: CHAIN_ID,
    nonce: Number(sent?.nonce),
    gasPrice: 10n ** 10n,
    gas: 21_000n,
    to: scenario.stranger,
  })
  await chain.client.sendRawTransaction({ serializedTransaction: raw })
  await scenario.mineAndFollow(DEPTH)
}

/** A node on which every nonce is used, by a payment that reverted in a block that is final: what ends a payout. */
const saysDead = (scenario: PayoutScenario, block: { number: bigint; hash: string }) =>
  otherResults(({ method, params }) => {
    if (method === 'eth_getTransactionCount') return '0x64'
    if (method !== 'eth_getTransactionReceipt') return undefined
    const at = { blockNumber: `0x${block.number.toString(16)}`, blockHash: block.hash, transactionHash: params[0] }
    const gas = { cumulativeGasUsed: '0x1', gasUsed: '0x1', effectiveGasPrice: '0x1', transactionIndex: '0x0' }
    const sides = { from: scenario.payer, to: scenario.gateway, contractAddress: null }
    return { ...at, ...gas, ...sides, logs: [], logsBloom: `0x${'0'.repeat(512)}`, status: '0x0', type: '0x0' }
  })

describe('a payout', () => {
  test('is given back on the word of one lying node where it is the only one, and not where there are others', async () => {
    for (const urls of [one(), two(), three()]) {
      await using scenario = await startPayoutScenario(chain, urls)
      const number = await underWay(scenario)
      const final = await chain.client.getBlock()
      await chain.client.dropTransaction({ hash: ((await scenario.transactions())[0]?.hash ?? '0x') as Hex })
      await scenario.mineAndFollow(DEPTH)
      nodes.firstTells = saysDead(scenario, { number: final.number, hash: final.hash })
      await round(scenario)
      await scenario.mineAndFollow()
      await round(scenario)
      nodes.firstTells = honest
      expect([urls.length, await scenario.state(number)]).toEqual([
        urls.length,
        urls.length === 1 ? 'failed' : 'sending',
      ])
      if (urls.length === 1) continue
      // It is mined after all, and the books are right.
      const [sent] = await scenario.transactions()
      await scenario.payoutDeps().chain.send(sent?.raw ?? '')
      await scenario.mineAndFollow(DEPTH)
      await scenario.credit()
      expect(await scenario.state(number)).toBe('done')
      await scenario.expectSound()
    }
  })

  test('that is dead is given back although one of three says that it was paid', async () => {
    await using scenario = await startPayoutScenario(chain, three())
    const number = await underWay(scenario)
    await useNonce(scenario)
    nodes.firstTells = saysPaid
    await round(scenario)
    expect(await scenario.state(number)).toBe('failed')
    expect(await listDisputes(scenario.db)).toEqual([])
  })

  test('on which two contradict each other waits, others go on, and two operators let one node decide', async () => {
    await using scenario = await startPayoutScenario(chain, two())
    const number = await underWay(scenario)
    await useNonce(scenario)
    nodes.firstTells = saysPaid
    await round(scenario)
    await round(scenario)
    expect(await scenario.state(number)).toBe('sending')
    const [dispute] = await listDisputes(scenario.db)
    expect(dispute).toMatchObject({ decision: `withdrawal ${number}`, ruledFor: null })
    const hosts = two().map((url) => new URL(url).host)
    expect(JSON.parse(dispute?.answers ?? '')).toEqual({
      [hosts[0] ?? '']: '{"fact":{"dead":"paid","use":null}}',
      [hosts[1] ?? '']: expect.stringContaining(
        '{"dead":{"reason":"unpaid","txHash":null},"use":{"txHash":',
      ) as unknown,
    })
    expect(scenario.log().match(/nodes\.disagree/g)).toHaveLength(1)
    await scenario.deposit(scenario.bob, 'JU', 10n * WHOLE)
    const other = await scenario.apply(scenario.bob, 'JU', WHOLE)
    await round(scenario)
    expect(await scenario.state(other.withdrawalNo)).toBe('sending')

    const rule = (node: string) =>
      transaction(scenario.db, (tx) =>
        ruleDispute(tx, { decision: `withdrawal ${number}`, node }, scenario.clock.now()),
      )
    expect(await rule('elsewhere.example.org')).toBe('notAsked')
    expect(await rule(hosts[1] ?? '')).toBe('ruled')
    await round(scenario)
    expect(await scenario.state(number)).toBe('failed')
  })

  test('waits while one of two follows another branch, whatever it answers', async () => {
    await using scenario = await startPayoutScenario(chain, two())
    const number = await underWay(scenario)
    await useNonce(scenario)
    nodes.firstTells = otherResults(({ method }, { result }) =>
      method === 'eth_getBlockByNumber' ? { ...(result as object), hash: `0x${'b'.repeat(64)}` } : undefined,
    )
    await round(scenario)
    expect((await listDisputes(scenario.db))[0]?.answers).toContain('block')
    expect(await scenario.state(number)).toBe('sending')
  })

  test('is given back although one of three says that no nonce is used', async () => {
    await using scenario = await startPayoutScenario(chain, three())
    const number = await underWay(scenario)
    await useNonce(scenario)
    nodes.firstTells = saysNonce('0x0')
    await round(scenario)
    expect(await scenario.state(number)).toBe('failed')
  })

  test('is given back although a node has said that one of our own transactions used its nonce', async () => {
    for (const urls of [one(), three()]) {
      await using scenario = await startPayoutScenario(chain, urls)
      const number = await underWay(scenario)
      const hash = ((await scenario.transactions())[0]?.hash ?? '0x') as Hex
      const ours = await ask('eth_getTransactionByHash', hash)
      await useNonce(scenario)
      nodes.firstTells = otherResults(({ method, params }, { result }) =>
        method === 'eth_getBlockByHash' && params[1] === true
          ? { ...(result as object), transactions: [ours] }
          : undefined,
      )
      await round(scenario)
      nodes.firstTells = honest
      const kept = await scenario.db.selectFrom('payout_nonce_use').select('tx_hash').executeTakeFirst()
      expect([urls.length, kept?.tx_hash === hash]).toEqual([urls.length, urls.length === 1])
      await round(scenario)
      expect(await scenario.state(number)).toBe('failed')
      await scenario.expectSound()
    }
  })

  test('waits while one of two is behind, and after ten minutes the other decides alone', async () => {
    await using scenario = await startPayoutScenario(chain, two())
    const number = await underWay(scenario)
    nodes.firstTells = await standsStill()
    await useNonce(scenario)
    const goOn = async (ms: number) => {
      await chain.client.increaseTime({ seconds: ms / 1_000 })
      await scenario.mineAndFollow()
      await scenario.nodes.look()
      await round(scenario)
    }
    await goOn(200_000)
    expect(scenario.nodes.all.map(({ health }) => health().condition)).toEqual(['behind', 'ok'])
    await goOn(LEAVES_AFTER_MS - 10_000)
    expect(scenario.log()).not.toContain('node.left')
    expect(await scenario.state(number)).toBe('sending')
    await goOn(10_000)
    expect(scenario.log()).toContain('"event":"node.left"')
    expect(await scenario.state(number)).toBe('failed')
  })

  test('that waits for an answer for ten minutes is shown to operators, who let the other node decide', async () => {
    await using scenario = await startPayoutScenario(chain, two())
    const number = await underWay(scenario)
    await useNonce(scenario)
    // It follows the chain, and has no states.
    nodes.firstTells = otherResults(({ method }) =>
      method === 'eth_getTransactionCount' || method === 'eth_call' ? null : undefined,
    )
    await round(scenario)
    expect(await listDisputes(scenario.db)).toEqual([])
    scenario.clock.advance(LEAVES_AFTER_MS)
    await round(scenario)
    const [dispute] = await listDisputes(scenario.db)
    expect(dispute?.decision).toBe(`nonce ${scenario.payer}`)
    expect(scenario.log()).toContain('"event":"nodes.disagree"')
    const rule = async () => {
      const node = new URL(nodes.urls[1]).host
      for (const { decision } of await listDisputes(scenario.db)) {
        await transaction(scenario.db, (tx) => ruleDispute(tx, { decision, node }, scenario.clock.now()))
      }
    }
    await rule()
    await round(scenario)
    expect(await scenario.state(number)).toBe('sending')
    scenario.clock.advance(LEAVES_AFTER_MS)
    await round(scenario)
    await rule()
    await round(scenario)
    expect(await scenario.state(number)).toBe('failed')
  })

  test('waits while one of two does not answer, and after ten minutes the other decides alone', async () => {
    await using scenario = await startPayoutScenario(chain, two())
    const number = await underWay(scenario)
    await useNonce(scenario)
    nodes.firstTells = () => () => []
    await scenario.nodes.look()
    await round(scenario)
    expect(await scenario.state(number)).toBe('sending')
    scenario.clock.advance(LEAVES_AFTER_MS)
    await scenario.nodes.look()
    expect(scenario.log()).toContain('"event":"node.left"')
    await round(scenario)
    expect(await scenario.state(number)).toBe('failed')
    nodes.firstTells = honest
    await scenario.nodes.look()
    expect(scenario.log()).toContain('"event":"node.back"')
  })
})

/** A withdrawal that is to be signed. */
const queue = async (urls: string[]) => {
  const scenario = await startPayoutScenario(chain, urls)
  await scenario.deposit(scenario.alice, 'JU', 100n * WHOLE)
  const { withdrawalNo } = await scenario.apply(scenario.alice, 'JU', 10n * WHOLE)
  return { scenario, withdrawalNo }
}

describe('a withdrawal', () => {
  test('is signed with the next nonce whatever one of three says; of two neither has one left out', async () => {
    for (const [urls, whileLying] of [
      [one(), [100n]],
      [two(), []],
      [three(), [0n]],
    ] as const) {
      const { scenario } = await queue([...urls])
      await using _ = scenario
      nodes.firstTells = saysNonce('0x64')
      await round(scenario)
      const nonces = async () => (await scenario.transactions()).map(({ nonce }) => nonce)
      expect(await nonces()).toEqual(whileLying)
      nodes.firstTells = honest
      await round(scenario)
      expect(await nonces()).toEqual(urls.length === 1 ? whileLying : [0n])
    }
  })

  test('ends on the word of one node that its recipient refuses where it is the only one, and else waits', async () => {
    for (const urls of [one(), two(), three()]) {
      const { scenario, withdrawalNo } = await queue(urls)
      await using _ = scenario
      nodes.firstTells = saysReverts
      await round(scenario)
      nodes.firstTells = honest
      expect([urls.length, await scenario.state(withdrawalNo)]).toEqual([
        urls.length,
        urls.length === 1 ? 'failed' : 'queued',
      ])
      if (urls.length === 1) continue
      scenario.clock.advance(60_000)
      await round(scenario)
      expect(await scenario.state(withdrawalNo)).toBe('sending')
    }
  })
})

/** A node on which an account has sent as many. */
const saysNonce = (nonce: Hex) =>
  otherResults(({ method }) => (method === 'eth_getTransactionCount' ? nonce : undefined))

const PAY = toFunctionSelector('pay(bytes32,address,address,uint256)')
/** A node on which no recipient can be paid. */
const saysReverts: LieAbout = (calls) => (answers) =>
  answers.map((answer) => {
    const [call] = (calls.find(({ id }) => id === answer.id)?.params ?? []) as [{ data?: string }?]
    return call?.data?.startsWith(PAY) === true
      ? { id: answer.id, error: { code: 3, message: 'execution reverted', data: '0x' } }
      : answer
  })

const ask = (method: string, ...params: unknown[]) =>
  chain.client.request<{ Method: string; Parameters: unknown[]; ReturnType: unknown }>({ method, params })

/** A node that gets no block from now on. */
const standsStill = async () => standsAt((await ask('eth_getBlockByNumber', 'latest', false)) as { number: string })

const paid = 10n * WHOLE
const invented = 1_000n * WHOLE
const wordOf = (amount: bigint) => amount.toString(16).padStart(64, '0')
/** A node in whose logs more was paid. */
const saysMore = otherResults(({ method }, { result }) =>
  method === 'eth_getLogs'
    ? (JSON.parse(JSON.stringify(result).replaceAll(wordOf(paid), wordOf(invented))) as unknown)
    : undefined,
)
/** A node without logs. */
const saysNothing = otherResults(({ method }, { result }) => {
  if (method === 'eth_getLogs') return []
  const isBlock = method === 'eth_getBlockByHash' || method === 'eth_getBlockByNumber'
  return isBlock && result !== null ? { ...(result as object), logsBloom: `0x${'0'.repeat(512)}` } : undefined
})
const pay = async (scenario: PayoutScenario) => {
  await chain.pay({ from: scenario.alice, amount: paid, asset: NATIVE_ASSET, to: scenario.gateway })
  await scenario.mineAndFollow(DEPTH)
}
const creditedAfter = async (scenario: PayoutScenario, confirmations_needed: number) => {
  await scenario.db.updateTable('chain_event').set({ confirmations_needed }).where('state', '=', 'recorded').execute()
  // A payment on which the nodes did not agree is asked about again after a while.
  scenario.clock.advance(60_000)
  await scenario.credit()
  return (await scenario.balances(scenario.alice, 'JU')).available
}

describe.each([DEPTH, 1])('a deposit that waits for %i confirmations', (confirmations_needed) => {
  const credited = (scenario: PayoutScenario) => creditedAfter(scenario, confirmations_needed)
  test('that the followed node invents is credited where it is the only one, and not where others have to agree', async () => {
    for (const urls of [one(), two(), three()]) {
      await using scenario = await startPayoutScenario(chain, urls, nodes.urls[0])
      nodes.firstTells = saysMore
      await pay(scenario)
      expect([urls.length, await credited(scenario)]).toEqual([urls.length, urls.length === 1 ? invented : 0n])
      nodes.firstTells = honest
      const said = ['', 'nodes.disagree', 'crediting.payment-denied'][urls.length - 1] ?? ''
      expect(scenario.log()).toContain(said)
    }
  })

  test('that one of three nodes does not have is credited, that one of two does not have waits for it', async () => {
    for (const urls of [two(), three()]) {
      await using scenario = await startPayoutScenario(chain, urls)
      nodes.firstTells = saysNothing
      await pay(scenario)
      expect([urls.length, await credited(scenario)]).toEqual([urls.length, urls.length === 2 ? 0n : paid])
      nodes.firstTells = honest
      expect(await credited(scenario)).toBe(paid)
      expect(await listDisputes(scenario.db)).toEqual([])
      await scenario.expectSound()
    }
  })
})

/** A node on which the contract has paid whatever it is asked for. */
const saysPaid = otherResults(({ method, params }) => {
  const [call] = params as [{ data?: string }]
  return method === 'eth_call' && call.data?.startsWith(IS_PAID) ? `0x${'1'.padStart(64, '0')}` : undefined
})
