import { uniswapV2RouterAbi } from '@candela/protocol/abi/uniswap-v2'
import { createChainClient } from '@candela/server/chain/client'
import { observePrices, type PricedPair } from '@candela/server/chain/price/observe-prices'
import { silentLog } from '@candela/server/kernel/log'
import { WHOLE } from '@candela/server/modules/power/testing'
import { encodeFunctionData } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { patientClient, startTestChain, type TestChain, testNetwork } from '@candela/testing/chain/test-chain'
import { startExchangeScenario } from './exchange-scenario.ts'

let chain: TestChain
let pairs: PricedPair[]
beforeAll(async () => {
  chain = await startTestChain({ atNoon: true })
  const whole = { hash: 1_000_000n, hashUsdt: 1_000_000n, ju: 1_000n, juUsdt: 2_000n }
  const { hashPair, juPair } = await chain.openPairs({
    hash: whole.hash * WHOLE,
    hashUsdt: whole.hashUsdt * WHOLE,
    ju: whole.ju * WHOLE,
    juUsdt: whole.juUsdt * WHOLE,
  })
  pairs = [
    { asset: 'HASH', token: chain.hash, pair: hashPair },
    { asset: 'JU', token: chain.wju, pair: juPair },
  ]
})
afterAll(() => chain.stop())

/** Buys HASH with that much USDT: three times the price takes 0.7321 of the pair's million. */
async function pushHash(usdt: bigint): Promise<void> {
  const args = [usdt, 1n, [chain.usdt, chain.hash], chain.deployer, 2n ** 40n] as const
  const data = encodeFunctionData({ abi: uniswapV2RouterAbi, functionName: 'swapExactTokensForTokens', args })
  await chain.mined(await chain.send(chain.deployer, chain.router, data))
}

test('a price that was tripled and held for half an hour is not traded at', async () => {
  await using scenario = await startExchangeScenario({ observed: true })
  const { alice, db, clock, quote } = scenario
  const client = createChainClient({ network: testNetwork, rpcUrl: chain.url, ...patientClient })
  const observeAfter = async (seconds: number) => {
    await chain.client.increaseTime({ seconds })
    await chain.mine()
    await observePrices({ db, client, pairs, log: silentLog() })
    clock.set(new Date(Number((await chain.client.getBlock()).timestamp) * 1_000))
  }
  await observeAfter(1)
  await observeAfter(1_800)
  expect(await quote(alice, 'HASH', 'USDT', WHOLE)).toMatchObject({ rate: '1' })
  await pushHash(733_000n * WHOLE)
  for (let minute = 0; minute <= 40; minute++) {
    await observeAfter(60)
    const answer = await quote(alice, 'HASH', 'USDT', WHOLE).catch((error: unknown) => error)
    expect(answer, `${minute} minutes`).toMatchObject({ code: 5031 })
  }
})
