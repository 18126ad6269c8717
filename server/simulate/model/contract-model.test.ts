import { erc20Abi } from '@candela/protocol/abi/erc20'
import { uniswapV2PairAbi } from '@candela/protocol/abi/uniswap-v2'
import { assetCodes } from '@candela/protocol/money/assets'
import { decodePayments, assetsByAddress } from '@candela/server/chain/follow/read/decode'
import { chainReader } from '@candela/server/chain/follow/read/read-chain'
import { createChainClient } from '@candela/server/chain/client'
import { readNotices } from '@candela/server/chain/payout/contract-notices'
import { payoutChain } from '@candela/server/chain/payout/payout-chain'
import { patientClient, startTestChain, type TestChain, testNetwork } from '@candela/testing/chain/test-chain'
import { encodeFunctionData, type Hex, maxUint256, parseAbi, type RpcLog } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashOf, type ModelTransaction } from './chain-model.ts'
import { seededRandom } from '../run/random.ts'
import type { Call } from './calls.ts'
import { Market } from './market.ts'
import { ASSET_RESERVE, pairAddresses } from './pairs.ts'
import { contractWallets, modelOf, realBalance, realCall } from './testing-contracts.ts'
import { Network } from '../faults/network.ts'
import { network as simulated } from '../run/server-process.ts'

const WHOLE = 10n ** 18n
const CAP = 40n * WHOLE
const GWEI = 10n ** 9n
/** Shares that a pair keeps for ever. */
const LOCKED = 1_000n
const pairAbi = [...uniswapV2PairAbi, ...erc20Abi] as const
const routerAbi = parseAbi([
  'function swapExactTokensForTokens(uint256, uint256, address[], address, uint256)',
  'function addLiquidity(address, address, uint256, uint256, uint256, uint256, address, uint256)',
  'function removeLiquidity(address, address, uint256, uint256, uint256, address, uint256)',
])

let real: TestChain
beforeAll(async () => {
  real = await startTestChain()
})
afterAll(() => real.stop())

/** The facts that the server decodes from a block's logs, without hashes and block numbers, which differ between two chains. */
function factsOf(logs: RpcLog[], contracts: { gateway: Hex; usdt: Hex; hash: Hex }) {
  return decodePayments(logs, contracts.gateway, assetsByAddress(contracts)).map(
    ({ txHash: _txHash, blockHash: _blockHash, blockNumber: _blockNumber, ...facts }) => facts,
  )
}

test('the model agrees with the contracts: the same calls give the same events, balances, nonces and answers', async () => {
  const { usdt, hash, deployer, payers } = real
  const [alice, bob, payer, attester] = payers as readonly [Hex, Hex, Hex, Hex]
  const wallets = contractWallets
  const { contracts, chain } = await modelOf(real, { payer, attester, cap: CAP }, [alice, bob, payer, deployer])
  const { gateway } = contracts
  const random = seededRandom(1)
  const nodes = new Network({ chain, random, trace: () => undefined, depth: 3 })
  const clients = {
    real: createChainClient({ network: testNetwork, rpcUrl: real.url, ...patientClient }),
    model: createChainClient({
      network: simulated,
      rpcUrl: 'http://model.simulated',
      retries: 0,
      fetchFn: (url, init) => nodes.request(url, init?.body as string),
    }),
  }
  const readers = {
    real: chainReader(clients.real, gateway, [usdt, hash]),
    model: chainReader(clients.model, gateway, [usdt, hash]),
  }
  const payouts = { real: payoutChain(clients.real, contracts), model: payoutChain(clients.model, contracts) }

  const draw = (): [Hex, Call] => {
    const asset = random.pick(assetCodes)
    const amount = random.chance(0.1) ? 10n ** 40n : BigInt(random.below(15)) * WHOLE + BigInt(random.below(5))
    const from = random.pick([alice, bob])
    const key = random.pick(['deposit', 'buyPower', 'repay', 'revenue'])
    switch (random.weighted({ recharge: 5, native: 1, transfer: 2, pay: 5, pause: 1 })) {
      case 'recharge':
        // No account has that much native currency: a real node would reject the transaction.
        return [
          from,
          {
            do: 'recharge',
            key,
            asset,
            amount: asset === 'JU' ? amount % WHOLE : amount,
            customer: bob,
            reference: 'a:b',
          },
        ]
      case 'native':
        return [from, { do: 'native', amount: 1n + (amount % WHOLE) }]
      case 'transfer':
        return [from, { do: 'transfer', asset: asset === 'JU' ? 'USDT' : asset, amount }]
      case 'pause':
        return [deployer, { do: 'pause', paused: random.chance(0.3) }]
      case 'pay':
        break
    }
    return [
      random.chance(0.9) ? payer : alice,
      {
        do: 'pay',
        id: hashOf([random.below(30)]),
        asset,
        to: random.pick([alice, bob, ...wallets]),
        amount: amount % (20n * WHOLE),
      },
    ]
  }

  let sent = 0
  let reverted = 0
  for (let round = 0; round < 25; round++) {
    const calls = Array.from({ length: 1 + random.below(4) }, draw)
    const hashes: Hex[] = []
    const wanted: ModelTransaction[] = []
    for (const [from, call] of calls) {
      const { to, data, value } = realCall(call, contracts)
      hashes.push(await real.send(from, to, data, value))
      sent += 1
      const nonce = chain.head.state.nonce(from) + wanted.filter((other) => other.from === from).length
      wanted.push({ hash: hashOf(['transaction', sent]), from, nonce, gasPrice: GWEI, gas: 100_000n, call })
    }
    await real.mine()
    const header = await readers.real.head()
    chain.mine(header.at.getTime() / 1000, wanted)
    const modelled = await readers.model.head()
    expect([modelled.number, modelled.at]).toEqual([header.number, header.at])

    const oks = []
    for (const one of hashes) oks.push((await real.client.getTransactionReceipt({ hash: one })).status === 'success')
    expect([round, chain.head.receipts.map(({ ok }) => ok)]).toEqual([round, oks])
    reverted += oks.filter((ok) => !ok).length

    const facts = factsOf(await readers.model.paymentsOf(modelled), contracts)
    expect(facts).toEqual(factsOf(await readers.real.paymentsOf(header), contracts))
    const [at, modelAt] = [header, modelled]
    const [held, modelHeld] = [await payouts.real.holdings(at), await payouts.model.holdings(modelAt)]
    expect(modelHeld).toEqual(held)
    expect(await payouts.model.caps(modelAt)).toEqual(await payouts.real.caps(at))
    expect(await readNotices(clients.model, contracts, modelAt)).toEqual(await readNotices(clients.real, contracts, at))
    const id = hashOf([random.below(30)])
    expect(await payouts.model.isPaid(modelAt, id)).toBe(await payouts.real.isPaid(at, id))
    const asset = random.pick(assetCodes)
    const amount = BigInt(1 + random.below(25)) * WHOLE
    const terms = { payoutId: id, asset, to: random.pick([alice, ...wallets]), amount }
    for (const gasPrice of [100n * GWEI, 10n ** 30n]) {
      const offer = { gas: 400_000n, gasPrice }
      const { gasBalance: _gasBalance, ...look } = await payouts.real.simulatePayout(at, payer, terms, offer)
      expect(await payouts.model.simulatePayout(modelAt, payer, terms, offer)).toMatchObject(look)
    }
  }
  // Both outcomes must have occurred often enough for the comparison to be meaningful.
  expect(reverted).toBeGreaterThan(5)
  expect(sent - reverted).toBeGreaterThan(20)
  for (const [name, reader] of Object.entries(readers)) {
    await expect(reader.headerOf(`0x${'7'.repeat(64)}`), name).rejects.toMatchObject({
      name: 'RpcError',
      failure: 'refused',
    })
  }
  for (const chainOf of Object.values(payouts)) {
    const elsewhere = { number: 1n, hash: `0x${'7'.repeat(64)}` }
    await expect(chainOf.holdings(elsewhere)).rejects.toMatchObject({ name: 'RpcError', failure: 'refused' })
    expect(await chainOf.receipt(`0x${'7'.repeat(64)}`)).toBeNull()
    expect(await chainOf.payer()).toBe(payer)
  }
})

test('a pair is to the unit what the real one is: reserves, what a swap gives, shares, and the sum of prices', async () => {
  const { client, deployer, hash, router } = real
  const [payer, attester] = real.payers as readonly [Hex, Hex]
  const { chain } = await modelOf(real, { payer, attester, cap: CAP }, [deployer])
  const market = new Market(ASSET_RESERVE, WHOLE / 2n)
  const { hashPair } = await real.openPairs({ hash: market.asset, hashUsdt: market.usdt, ju: WHOLE, juUsdt: WHOLE })
  const pair = { address: hashPair, abi: pairAbi } as const
  const isFirst = (await client.readContract({ ...pair, functionName: 'token0' })).toLowerCase() === hash
  const [, , opened_s] = await client.readContract({ ...pair, functionName: 'getReserves' })
  chain.head.state.openPair('HASH', WHOLE / 2n, opened_s)
  const nodes = new Network({ chain, random: seededRandom(1), trace: () => undefined, depth: 3 })
  const modelClient = createChainClient({
    network: simulated,
    rpcUrl: 'http://model.simulated',
    retries: 0,
    fetchFn: (url, init) => nodes.request(url, init?.body as string),
  })
  const approve = { abi: erc20Abi, functionName: 'approve', args: [router, maxUint256] } as const
  await real.mined(await real.send(deployer, hashPair, encodeFunctionData(approve)))

  const random = seededRandom(3)
  /** From one unit to more than the pair holds. */
  const draw = () => BigInt(1 + random.below(999_999)) * 10n ** BigInt(random.below(19)) + BigInt(random.below(1_000))
  const held = async () => [
    await realBalance(real, 'HASH', deployer),
    await realBalance(real, 'USDT', deployer),
    await client.readContract({ ...pair, functionName: 'balanceOf', args: [deployer] }),
  ]
  const kinds: Record<string, number> = {}
  let provided = market.shares - LOCKED
  for (let nth = 0; nth < 30; nth++) {
    const kind = random.weighted({ buy: 4, sell: 4, withdraw: 1, provide: 1 })
    kinds[kind] = (kinds[kind] ?? 0) + 1
    const before = await held()
    let data: Hex
    let changes: readonly bigint[]
    if (kind === 'buy' || kind === 'sell') {
      const amount = draw()
      const path: Hex[] = kind === 'buy' ? [real.usdt, hash] : [hash, real.usdt]
      const swap = kind === 'buy' ? market.buy(amount) : market.sell(amount)
      data = encodeFunctionData({
        abi: routerAbi,
        functionName: 'swapExactTokensForTokens',
        args: [amount, 0n, path, deployer, 2n ** 40n],
      })
      changes = [swap.asset, swap.usdt, 0n]
    } else if (kind === 'withdraw') {
      const shares = (provided * BigInt(1 + random.below(300))) / 1_000n
      const taken = market.withdraw(shares)
      provided -= shares
      data = encodeFunctionData({
        abi: routerAbi,
        functionName: 'removeLiquidity',
        args: [hash, real.usdt, shares, 0n, 0n, deployer, 2n ** 40n],
      })
      changes = [taken.asset, taken.usdt, -shares]
    } else {
      const asset = 1n + (market.asset * BigInt(1 + random.below(300))) / 1_000n
      // As the real router chooses it.
      const usdt = (asset * market.usdt) / market.asset
      const made = market.provide({ asset, usdt })
      provided += made
      data = encodeFunctionData({
        abi: routerAbi,
        functionName: 'addLiquidity',
        args: [hash, real.usdt, asset, usdt, 0n, 0n, deployer, 2n ** 40n],
      })
      changes = [-asset, -usdt, made]
    }
    await client.increaseTime({ seconds: 1 + random.below(100) })
    await real.mined(await real.send(deployer, router, data))
    expect([nth, kind, (await held()).map((now, place) => now - (before[place] ?? 0n))]).toEqual([nth, kind, changes])

    const { timestamp } = await client.getBlock()
    const swaps = [{ ...market.reserves, before_s: 0 }]
    const traded: Call = { do: 'swaps', asset: 'HASH', swaps }
    const wanted = { hash: hashOf(['swap', nth]), from: deployer, nonce: nth, gasPrice: GWEI, gas: 100_000n }
    chain.mine(Number(timestamp), [{ ...wanted, nonce: chain.head.state.nonce(deployer), call: traded }])
    const [reserves, sum] = await Promise.all([
      client.readContract({ ...pair, functionName: 'getReserves' }),
      client.readContract({ ...pair, functionName: isFirst ? 'price0CumulativeLast' : 'price1CumulativeLast' }),
    ])
    const modelled = { address: pairAddresses.HASH, abi: pairAbi } as const
    expect(await modelClient.readContract({ ...modelled, functionName: 'getReserves' })).toEqual(
      isFirst ? reserves : [reserves[1], reserves[0], reserves[2]],
    )
    expect(await modelClient.readContract({ ...modelled, functionName: 'price0CumulativeLast' })).toBe(sum)
  }
  for (const kind of ['buy', 'sell', 'withdraw', 'provide'])
    expect([kind, kinds[kind] ?? 0]).toEqual([kind, expect.toSatisfy((count: number) => count > 1)])
})
