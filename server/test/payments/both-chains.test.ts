import { WHOLE } from '@candela/server/modules/power/testing'
import { checkNode } from '@candela/server/chain/node/check-node'
import { createChainClient } from '@candela/server/chain/client'
import { composeUpkeep } from '@candela/server/jobs/compose-work'
import { readPrices } from '@candela/server/chain/price/price'
import { CHAIN_ID } from '@candela/protocol/chain/network'
import { silentLog } from '@candela/server/kernel/log'
import { patientClient, startTestChain, type TestChain, testNetwork } from '@candela/testing/chain/test-chain'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEPTH, startPayoutScenario } from '../payouts/payouts-scenario.ts'

/** Runs on today's anvil, and on one with the forks, the gas limit, the least gas price and the limits of a JuChain node. */
describe.each(['anvil', 'juchain'] as const)('a chain with the rules of %s', (rules) => {
  let chain: TestChain
  beforeAll(async () => {
    chain = await startTestChain({ atNoon: true, rules })
  })
  afterAll(() => chain.stop())

  test('deposits are followed and credited, withdrawals are paid, in every asset', async () => {
    await using scenario = await startPayoutScenario(chain, chain.url, chain.url)
    for (const asset of ['JU', 'USDT', 'HASH'] as const) {
      await scenario.deposit(scenario.alice, asset, 100n * WHOLE)
      const before = await scenario.balanceOn(asset, scenario.alice)
      const { withdrawalNo } = await scenario.apply(scenario.alice, asset, 40n * WHOLE)
      await scenario.payOut()
      await scenario.mineAndFollow(DEPTH)
      expect(await scenario.credit()).toMatchObject({ failed: 0 })
      expect([asset, await scenario.state(withdrawalNo)]).toEqual([asset, 'done'])
      expect(await scenario.balanceOn(asset, scenario.alice)).toBeGreaterThan(before)
    }
    await scenario.expectSound()
  })

  test('prices are observed', async () => {
    await using scenario = await startPayoutScenario(chain)
    const reserves = { hash: 100n * WHOLE, hashUsdt: 50n * WHOLE, ju: 100n * WHOLE, juUsdt: 300n * WHOLE }
    const pairs = await chain.openPairs(reserves)
    const client = createChainClient({ network: testNetwork, rpcUrl: chain.url, ...patientClient })
    const config = { ...pairs, hash: chain.hash, wju: chain.wju }
    const { observePrices } = composeUpkeep({ db: scenario.observedDb, client, log: silentLog(), config })
    for (let block = 0; block < 3; block++) {
      await scenario.mineAndFollow(700)
      await observePrices()
    }
    const { JU, HASH } = await readPrices(scenario.observedDb, scenario.clock.now())
    expect([JU.spot, HASH.spot]).toEqual([3n * WHOLE, WHOLE / 2n])
  })

  test('the node has what the service needs', async () => {
    const { timestamp } = await chain.client.getBlock()
    const now = () => new Date(Number(timestamp) * 1_000)
    const settings = { url: chain.url, chainId: CHAIN_ID, limits: {}, statesKept: 10, depth: 10, now }
    const checks = await checkNode(settings)
    expect(checks.filter(({ ok }) => !ok)).toEqual([])
    const price = checks.find(({ check }) => check === 'gas price')
    expect(price?.found).toContain(rules === 'juchain' ? 'blocks without a base fee' : 'blocks with a base fee')
  })
})
