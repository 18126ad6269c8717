import { createChainClient } from '@candela/server/chain/client'
import { silentLog } from '@candela/server/kernel/log'
import { composeContractWatch } from '@candela/server/jobs/compose-attest'
import { composeUpkeep } from '@candela/server/jobs/compose-work'
import { WHOLE } from '@candela/server/modules/power/testing'
import { payOut } from '@candela/server/modules/withdraw/payout/pay-out'
import { patientClient, startTestChain, type TestChain, testNetwork } from '@candela/testing/chain/test-chain'
import { startLyingProxy } from '@candela/testing/proxies/lying-proxy'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEPTH, startPayoutScenario } from '../payouts-scenario.ts'

let chain: TestChain
let proxy: Awaited<ReturnType<typeof startLyingProxy>>
let calls: string[] = []
beforeAll(async () => {
  chain = await startTestChain({ atNoon: true })
  proxy = await startLyingProxy(chain.url, (asked) => {
    calls.push(...asked.map(({ method }) => method))
    return null
  })
})
afterAll(async () => {
  await proxy[Symbol.asyncDispose]()
  await chain.stop()
})

/** How many calls the node gets meanwhile. */
async function during(work: () => Promise<unknown>): Promise<number> {
  calls = []
  await work()
  return calls.length
}

/** The table of "Calls" in docs/operate/operations.md names these figures. */
test('how many calls the follower and payouts make is bounded', async () => {
  await using scenario = await startPayoutScenario(chain, proxy.url, proxy.url)
  await scenario.deposit(scenario.alice, 'JU', 100n * WHOLE)
  const { withdrawalNo: number } = await scenario.apply(scenario.alice, 'JU', 10n * WHOLE)
  const reserves = { hash: 100n * WHOLE, hashUsdt: 50n * WHOLE, ju: 100n * WHOLE, juUsdt: 300n * WHOLE }
  const config = { ...(await chain.openPairs(reserves)), hash: chain.hash, wju: chain.wju }
  const client = createChainClient({ network: testNetwork, rpcUrl: proxy.url, ...patientClient })
  const { observePrices } = composeUpkeep({ db: scenario.observedDb, client, log: silentLog(), config })
  const contracts = { gateway: scenario.gateway, usdt: chain.usdt, hash: chain.hash }
  const confirmations = { normal: DEPTH, large: DEPTH, largeAbove: 0n }
  const watch = composeContractWatch({
    db: scenario.db,
    client: scenario.nodes.client,
    config: { ...contracts, confirmations },
    clock: scenario.clock,
    log: silentLog(),
  })
  await scenario.follow()
  const figures = {
    emptyBlock: await during(() => scenario.mineAndFollow()),
    idleLook: await during(() => scenario.follow()),
    prices: await during(observePrices),
    comparison: await during(() => scenario.reconcile()),
    watch: await during(watch),
    signing: await during(() => payOut(scenario.payoutDeps())),
    round: await during(() => payOut(scenario.payoutDeps())),
    blockWithPayment: await during(() => scenario.mineAndFollow()),
  }
  await scenario.mineAndFollow(DEPTH)
  const catchingUp = await during(() => scenario.mineAndFollow(100))
  await scenario.credit()
  expect(await scenario.state(number)).toBe('done')
  expect(await during(() => payOut(scenario.payoutDeps()))).toBe(0)
  expect(figures).toEqual({
    emptyBlock: 5,
    idleLook: 2,
    prices: 17,
    comparison: 6,
    watch: 24,
    signing: 26,
    round: 2,
    blockWithPayment: 5,
  })
  expect(catchingUp).toBeLessThan(130)
})
