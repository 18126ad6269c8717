import { uniswapV2RouterAbi } from '@candela/protocol/abi/uniswap-v2'
import { assetCodes } from '@candela/protocol/money/assets'
import { priceData } from '@candela/protocol/endpoints/user'
import type { KyselyPlugin } from 'kysely'
import { encodeFunctionData, type Hex, numberToHex, toFunctionSelector } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase } from '@candela/testing/postgres/test-database'
import { createChainClient } from '../client.ts'
import { averagePrice } from './average-price.ts'
import { describePrice, readPrices, readUsablePrice, sharedPrices, valueAt } from './price.ts'
import { must } from '../../kernel/assert.ts'
import { silentLog } from '../../kernel/log.ts'
import { observePrices, type PricedPair } from './observe-prices.ts'
import { otherResults, startLyingProxy } from '@candela/testing/proxies/lying-proxy'
import { patientClient, startTestChain, type TestChain, testNetwork } from '@candela/testing/chain/test-chain'

const unit = 10n ** 18n
let chain: TestChain
beforeAll(async () => {
  chain = await startTestChain()
})
afterAll(() => chain.stop())

/** New pairs would need a new factory, so the tests share them and start from whatever price there is. */
let shared: Promise<PricedPair[]> | undefined
const pairs = () =>
  (shared ??= chain
    .openPairs({ hash: 1_000_000n * unit, hashUsdt: 500_000n * unit, ju: 1_000n * unit, juUsdt: 250n * unit })
    .then(({ hashPair, juPair }) => [
      { asset: 'HASH', token: chain.hash, pair: hashPair },
      { asset: 'JU', token: chain.wju, pair: juPair },
    ]))

async function prepare() {
  const database = await createTestDatabase()
  const client = createChainClient({ network: testNetwork, rpcUrl: chain.url, ...patientClient })
  const priced = await pairs()
  const blockTime = async () => new Date(Number((await client.getBlock()).timestamp) * 1000)
  return {
    db: database.db,
    /** Lets time pass on the chain, mines one block then and looks at the pairs. */
    async observeAfter(seconds: number) {
      await chain.client.increaseTime({ seconds })
      await chain.mine()
      await observePrices({ db: database.db, client, pairs: priced, log: silentLog() })
    },
    observe: () => observePrices({ db: database.db, client, pairs: priced, log: silentLog() }),
    blockTime,
    prices: async (later_s = 0) => readPrices(database.db, new Date((await blockTime()).getTime() + later_s * 1000)),
    [Symbol.asyncDispose]: () => database.drop(),
  }
}

/** Sells HASH for USDT through the router. */
async function sellHash(amount: bigint): Promise<void> {
  const data = encodeFunctionData({
    abi: uniswapV2RouterAbi,
    functionName: 'swapExactTokensForTokens',
    args: [amount, 1n, [chain.hash, chain.usdt], chain.deployer, 2n ** 40n],
  })
  await chain.mined(await chain.send(chain.deployer, chain.router, data))
}

/** Sets what the pair says that it holds, as if everything on one side had been taken out. */
async function setReserves(pair: Hex, [first, second]: readonly [bigint, bigint]): Promise<void> {
  const since = 1n << 224n
  await chain.client.setStorageAt({
    address: pair,
    index: 8,
    value: numberToHex(since | (second << 112n) | first, { size: 32 }),
  })
  await chain.mine()
}

describe('prices of real pairs', () => {
  test.each([
    [0n, 0n],
    [unit, 0n],
    [0n, unit],
    // The whole pair would pay less than a base unit of USDT for a whole HASH.
    ['hash', 'usdt'],
  ] as const)(
    'a pair without liquidity (%s, %s) has no price, and keeps no other pair from having one',
    async (...left) => {
      await using setting = await prepare()
      const [{ pair }] = (await pairs()) as [PricedPair]
      const isFirst = BigInt(chain.hash) < BigInt(chain.usdt)
      const reserves = left.map((each) => (each === 'hash' ? 2n * unit : each === 'usdt' ? 1n : each)) as [
        bigint,
        bigint,
      ]
      const before = must(await chain.client.getStorageAt({ address: pair, slot: numberToHex(8) }), 'it has reserves')
      await setReserves(pair, isFirst ? reserves : [reserves[1], reserves[0]])
      try {
        await setting.observe()
        const prices = await setting.prices()
        expect(prices.HASH.pauseReason).toBe('noObservation')
        expect(prices.JU).toMatchObject({ pauseReason: 'none', paused: false })
      } finally {
        await chain.client.setStorageAt({ address: pair, index: 8, value: before })
      }
      await setting.observe()
      expect((await setting.prices()).HASH.pauseReason).toBe('none')
    },
  )

  test('before the first observation there is none, and USDT is one', async () => {
    await using setting = await prepare()
    const prices = await setting.prices()
    expect(prices.HASH).toMatchObject({ average: null, spot: null, paused: true, pauseReason: 'noObservation' })
    expect(prices.JU.pauseReason).toBe('noObservation')
    expect(prices.USDT).toMatchObject({ average: unit, spot: unit, paused: false, pair: null })
    expect(await readUsablePrice(setting.db, 'HASH', new Date())).toBeNull()
    expect(await readUsablePrice(setting.db, 'USDT', new Date())).toBe(unit)
  })

  test('the first observation gives spot for both, later ones an average', async () => {
    await using setting = await prepare()
    await setting.observe()
    const first = await setting.prices()
    expect(first.HASH).toMatchObject({ spot: unit / 2n, average: unit / 2n, windowSeconds: 0, paused: false })
    expect(first.JU).toMatchObject({ spot: unit / 4n, average: unit / 4n, paused: false })
    await setting.observeAfter(60)
    const second = await setting.prices()
    expect(second.HASH.windowSeconds).toBeGreaterThanOrEqual(60)
    expect(second.HASH).toMatchObject({
      pair: (await pairs())[0]?.pair,
      blockNumber: await chain.client.getBlockNumber(),
    })
    expect(second.HASH.observedAt).toEqual(await setting.blockTime())
    // The fixed-point price is rounded down.
    expect(second.HASH.average).toBe(unit / 2n)
    const value = valueAt(second)
    expect([value('HASH', 3n), value('USDT', 7n), value('JU', 8n * unit)]).toEqual([2n, 7n, 2n * unit])
  })

  test('an average moves slowly while spot jumps: paused until they meet again, and the window is thirty minutes', async () => {
    await using setting = await prepare()
    // The other tests want the pairs as they were made.
    const snapshot = await chain.client.snapshot()
    await setting.observe()
    for (let minute = 0; minute < 40; minute++) await setting.observeAfter(60)
    const before = await setting.prices()
    expect(before.HASH.windowSeconds).toBeGreaterThanOrEqual(1800)
    expect(before.HASH.windowSeconds).toBeLessThan(1800 + 70)
    await sellHash(80_000n * unit)
    await setting.observeAfter(1)
    const jumped = await setting.prices()
    // From the blocks that are told anybody computes the averages again.
    const { windowBlocks, blockNumber } = jumped.HASH
    const sumAfter = (block: bigint | undefined | null) =>
      setting.db
        .selectFrom('price_observation')
        .select(['at', 'cumulative'])
        .where('asset', '=', 'HASH')
        .where('block_number', '=', block ?? 0n)
        .executeTakeFirstOrThrow()
    const average = async (block: bigint | undefined) =>
      averagePrice(await sumAfter(block), await sumAfter(blockNumber))
    expect(await average(windowBlocks?.minutes30)).toBe(jumped.HASH.average)
    expect(await average(windowBlocks?.minutes5)).toBe(jumped.HASH.average5)
    expect(windowBlocks?.day).toBeLessThan(windowBlocks?.minutes30 ?? 0n)
    expect(windowBlocks?.minutes30).toBeLessThan(windowBlocks?.minutes5 ?? 0n)
    const spot = jumped.HASH.spot ?? 0n
    expect(spot).toBeLessThan(((before.HASH.spot ?? 0n) * 9n) / 10n)
    expect(jumped.HASH).toMatchObject({ paused: true, pauseReason: 'deviation' })
    expect(jumped.JU.paused).toBe(false)
    expect(valueAt(jumped)('HASH', unit)).toBeNull()
    expect(await readUsablePrice(setting.db, 'HASH', await setting.blockTime())).toBeNull()
    // One second at the new price has hardly moved the average; half an hour makes it the average.
    expect(jumped.HASH.average).toBeGreaterThan(((before.HASH.average ?? 0n) * 99n) / 100n)
    expect(jumped.HASH.average).toBeLessThan(before.HASH.average ?? 0n)
    for (let minute = 0; minute < 31; minute++) await setting.observeAfter(60)
    const later = await setting.prices()
    expect(later.HASH).toMatchObject({ paused: false, pauseReason: 'none', spot })
    expect(spot - (later.HASH.average ?? 0n)).toBeLessThanOrEqual(1n)
    await chain.client.revert({ id: snapshot })
  })

  test('an old observation pauses, a new one resumes', async () => {
    await using setting = await prepare()
    await setting.observe()
    expect((await setting.prices(300)).HASH.paused).toBe(false)
    expect((await setting.prices(301)).HASH).toMatchObject({ paused: true, pauseReason: 'stale' })
    await setting.observeAfter(400)
    expect((await setting.prices()).HASH.paused).toBe(false)
  })

  test('a node that stands still has no current price, however often it is asked; nor has one from the future', async () => {
    await using setting = await prepare()
    await setting.observe()
    expect((await setting.prices(299)).HASH.paused).toBe(false)
    // Asked again, it gives the same block.
    for (let i = 0; i < 3; i++) await setting.observe()
    expect((await setting.prices(301)).HASH).toMatchObject({ paused: true, pauseReason: 'stale' })
    expect(
      await readUsablePrice(setting.db, 'HASH', new Date((await setting.blockTime()).getTime() + 301_000)),
    ).toBeNull()
    expect((await setting.prices(-299)).HASH.paused).toBe(false)
    expect((await setting.prices(-301)).HASH).toMatchObject({ paused: true, pauseReason: 'stale' })
  })

  test('an observation of a block that a reorganisation replaced gives way', async () => {
    await using setting = await prepare()
    await setting.observe()
    await setting.observeAfter(30)
    await setting.observeAfter(30)
    await chain.reorganise(2)
    await setting.observe()
    await setting.observe()
    const rows = await setting.db
      .selectFrom('price_observation')
      .selectAll()
      .where('asset', '=', 'HASH')
      .orderBy('at')
      .execute()
    const numbers = rows.map((row) => row.block_number)
    expect(numbers).toEqual(numbers.toSorted((a, b) => Number(a - b)))
    expect(numbers.at(-1)).toBe(await chain.client.getBlockNumber())
    expect(new Set(numbers).size).toBe(numbers.length)
    // The block that was replaced may also have been the older one of the two.
    await setting.db
      .updateTable('price_observation')
      .set({ at: new Date(0) })
      .execute()
    await setting.observe()
    expect((await setting.prices()).HASH.observedAt).toEqual(await setting.blockTime())
  })

  test('a pair that does not hold the token is refused', async () => {
    await using setting = await prepare()
    const client = createChainClient({ network: testNetwork, rpcUrl: chain.url, ...patientClient })
    const [hashPair] = await pairs()
    const wrong = { asset: 'JU', token: chain.wju, pair: hashPair?.pair as Hex } as const
    await expect(observePrices({ db: setting.db, client, pairs: [wrong], log: silentLog() })).rejects.toThrow(
      'does not hold',
    )
    const nobody = { asset: 'JU', token: chain.wju, pair: `0x${'9'.repeat(40)}` } as const
    await expect(observePrices({ db: setting.db, client, pairs: [nobody], log: silentLog() })).rejects.toThrow()
  })

  test.each([
    { name: 'all of it', from: { reserves: 0, sum: 0 } },
    { name: 'its reserves when they are read again, and the sum', from: { reserves: 1, sum: 0 } },
    { name: 'its reserves when they are read again', from: { reserves: 1, sum: 9 } },
  ])('a node that answers with a later block, $name, is refused, and the price goes on', async ({ from }) => {
    await using setting = await prepare()
    const [hashPair] = (await pairs()) as [PricedPair]
    const honest = createChainClient({ network: testNetwork, rpcUrl: chain.url, ...patientClient })
    const before = await honest.request({ method: 'eth_getBlockByNumber', params: ['latest', false] })
    const isFirst = BigInt(chain.hash) < BigInt(chain.usdt)
    const selectors = {
      reserves: toFunctionSelector('getReserves()'),
      sum: toFunctionSelector(isFirst ? 'price0CumulativeLast()' : 'price1CumulativeLast()'),
    }
    await chain.client.increaseTime({ seconds: 1_200 })
    await sellHash(unit)
    const read = (data: Hex) => honest.request({ method: 'eth_call', params: [{ to: hashPair.pair, data }, 'latest'] })
    const later = { reserves: await read(selectors.reserves), sum: await read(selectors.sum) }
    const asked = { reserves: 0, sum: 0 }
    await using node = await startLyingProxy(
      chain.url,
      otherResults(({ method, params: [call] }) => {
        if (method === 'eth_getBlockByNumber') return before
        for (const of of ['reserves', 'sum'] as const)
          if ((call as { data?: Hex } | undefined)?.data === selectors[of] && asked[of]++ >= from[of]) return later[of]
        return undefined
      }),
    )
    const client = createChainClient({ network: testNetwork, rpcUrl: node.url, ...patientClient })
    const observing = observePrices({ db: setting.db, client, pairs: [hashPair], log: silentLog() })
    await expect(observing).rejects.toMatchObject({ failure: 'badAnswer' })
    expect(await setting.db.selectFrom('price_observation').selectAll().execute()).toEqual([])
    await setting.observe()
    await setting.observeAfter(60)
    expect((await setting.prices()).HASH.pauseReason).toBe('none')
  })

  test('user/priceInfo says all of it as the endpoint table has it', async () => {
    await using setting = await prepare()
    await setting.observe()
    const now = await setting.blockTime()
    const prices = await readPrices(setting.db, now)
    const items = assetCodes.map((asset) => describePrice(prices[asset]))
    expect(items.map(({ asset }) => asset)).toEqual(['JU', 'USDT', 'HASH'])
    for (const item of items) expect(priceData.parse(item)).toEqual(item)
    expect(items[0]).toMatchObject({ spot: '0.25', average: '0.25', paused: false, observedAt: now.toISOString() })
  })
})

test('prices that many ask for at once are read together, each as of its own time, and anew by the next', async () => {
  await using market = await prepare()
  await market.observe()
  let statements = 0
  const counting: KyselyPlugin = {
    transformQuery({ node }) {
      statements += 1
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const read = sharedPrices(market.db.withPlugin(counting))
  const now = await market.blockTime()
  const later = new Date(now.getTime() + 3_600_000)
  const answers = await Promise.all([now, later, now, later].map((time) => read(time)))
  // The first goes at once, the others wait for it and go together.
  expect(statements).toBe(2)
  expect(answers).toEqual(await Promise.all([now, later, now, later].map((time) => readPrices(market.db, time))))
  expect(answers.map(({ HASH }) => HASH.pauseReason)).toEqual(['none', 'stale', 'none', 'stale'])
  await sellHash(100_000n * unit)
  await market.observeAfter(60)
  const moved = await read(await market.blockTime())
  expect(moved).toEqual(await readPrices(market.db, await market.blockTime()))
  expect(moved.HASH.spot).not.toBe(answers[0]?.HASH.spot)
  expect(statements).toBe(3)
})
