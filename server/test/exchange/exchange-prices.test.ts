import { uniswapV2RouterAbi } from '@candela/protocol/abi/uniswap-v2'
import { createChainClient } from '@candela/server/chain/client'
import { patientClient, startTestChain, type TestChain, testNetwork } from '@candela/testing/chain/test-chain'
import { observePrices, type PricedPair } from '@candela/server/chain/price/observe-prices'
import { silentLog } from '@candela/server/kernel/log'
import { WHOLE } from '@candela/server/modules/power/testing'
import { encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startExchangeScenario } from './exchange-scenario.ts'

let chain: TestChain
let pairs: PricedPair[]
beforeAll(async () => {
  chain = await startTestChain({ atNoon: true })
  const reserves = { hash: 1_000_000n, hashUsdt: 500_000n, ju: 1_000n, juUsdt: 2_000n }
  const { hashPair, juPair } = await chain.openPairs({
    hash: reserves.hash * WHOLE,
    hashUsdt: reserves.hashUsdt * WHOLE,
    ju: reserves.ju * WHOLE,
    juUsdt: reserves.juUsdt * WHOLE,
  })
  pairs = [
    { asset: 'HASH', token: chain.hash, pair: hashPair },
    { asset: 'JU', token: chain.wju, pair: juPair },
  ]
})
afterAll(() => chain.stop())

async function swap(path: [Hex, Hex], amount: bigint): Promise<void> {
  const data = encodeFunctionData({
    abi: uniswapV2RouterAbi,
    functionName: 'swapExactTokensForTokens',
    args: [amount, 1n, path, chain.deployer, 2n ** 40n],
  })
  await chain.mined(await chain.send(chain.deployer, chain.router, data))
}

test('at the prices of real pairs: a push pauses the asset, silence pauses it, and both end by themselves', async () => {
  await using scenario = await startExchangeScenario({ observed: true })
  const { alice, db, clock, quote, execute } = scenario
  const client = createChainClient({ network: testNetwork, rpcUrl: chain.url, ...patientClient })
  const syncClock = async (later_s = 0) => {
    const { timestamp } = await chain.client.getBlock()
    clock.set(new Date((Number(timestamp) + later_s) * 1_000))
  }
  /** Lets exactly so much time pass on the chain, however long this machine takes, and looks at the pairs. */
  const observeAfter = async (seconds: number) => {
    const { timestamp } = await chain.client.getBlock()
    await chain.client.setNextBlockTimestamp({ timestamp: timestamp + BigInt(seconds) })
    await chain.mine()
    await observePrices({ db, client, pairs, log: silentLog() })
    await syncClock()
  }
  await expect(quote(alice, 'HASH', 'USDT', WHOLE)).rejects.toMatchObject({ code: 5031, params: { asset: 'HASH' } })
  await observeAfter(1)
  await observeAfter(1_801)
  const calm = await quote(alice, 'HASH', 'USDT', 100n * WHOLE)
  expect(calm).toMatchObject({ rate: '0.5', amountOut: '49.85' })
  expect(calm.prices.from).toMatchObject({ windowSeconds: 1_801, pair: pairs[0]?.pair })
  expect(calm.prices.from.blockNumber).toBe(Number(await chain.client.getBlockNumber()))
  expect(calm.prices.from.observedAt).toBe(clock.now().toISOString())

  // Within the ten percent a push of the spot only costs the one who pushes, either way.
  await swap([chain.usdt, chain.hash], 20_000n * WHOLE)
  await observeAfter(1)
  const pushed = await quote(alice, 'HASH', 'USDT', 100n * WHOLE)
  expect(pushed.prices.from).toMatchObject({ side: 'average' })
  expect(Number(pushed.amountOut)).toBeLessThan(49.9)
  const bought = await quote(alice, 'USDT', 'HASH', 100n * WHOLE)
  expect(bought.prices.to).toMatchObject({ side: 'spot' })
  expect(Number(bought.prices.to.used)).toBeGreaterThan(0.53)

  // Beyond them, between quote and exchange: refused, nothing moves, and only this asset is paused.
  const before = await scenario.balances(alice)
  await swap([chain.hash, chain.usdt], 100_000n * WHOLE)
  await observeAfter(1)
  await expect(execute(alice, pushed.quoteNo)).rejects.toMatchObject({ code: 5031, params: { asset: 'HASH' } })
  await expect(quote(alice, 'USDT', 'HASH', 10n * WHOLE)).rejects.toMatchObject({ code: 5031 })
  expect(await scenario.balances(alice)).toEqual(before)
  const other = await quote(alice, 'JU', 'USDT', WHOLE)
  await execute(alice, other.quoteNo)

  // The average comes after the new price, and the pause is over without anybody's doing.
  await observeAfter(1_800)
  await observeAfter(10)
  const resumed = await quote(alice, 'HASH', 'USDT', 100n * WHOLE)
  await execute(alice, resumed.quoteNo)

  await syncClock(299)
  await quote(alice, 'HASH', 'USDT', WHOLE)
  await syncClock(301)
  await expect(quote(alice, 'HASH', 'USDT', WHOLE)).rejects.toMatchObject({ code: 5031 })
  await expect(quote(alice, 'USDT', 'JU', WHOLE)).rejects.toMatchObject({ code: 5031, params: { asset: 'JU' } })
  await observeAfter(400)
  await quote(alice, 'HASH', 'USDT', WHOLE)
  await scenario.expectSound()
})

test('the discount follows from the power that is active now', async () => {
  await using scenario = await startExchangeScenario()
  const { alice, db, quote } = scenario
  expect(await quote(alice, 'JU', 'USDT', WHOLE)).toMatchObject({ level: 0, feePpm: 3_000 })
  const power = { member_id: alice, active_units: 5_000n }
  await db
    .insertInto('member_power')
    .values({ ...power })
    .execute()
  expect(await quote(alice, 'JU', 'USDT', WHOLE)).toMatchObject({ level: 5, discountPercent: 25, feePpm: 2_250 })
})
