import { erc20Abi } from '@candela/protocol/abi/erc20'
import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { NATIVE_ASSET, rechargeDataTypes } from '@candela/protocol/chain/action-data'
import { type AssetCode, assetCodes } from '@candela/protocol/money/assets'
import { decodePayments, assetsByAddress } from '@candela/server/chain/follow/decode'
import { chainReader } from '@candela/server/chain/follow/read-chain'
import { createChainClient } from '@candela/server/chain/client'
import { payoutChain } from '@candela/server/chain/payout/payout-chain'
import { patientClient, startTestChain, type TestChain, testNetwork } from '../../test/testing/chain.ts'
import { encodeAbiParameters, encodeFunctionData, type Hex, type RpcLog } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ChainModel, hashOf, type ModelTransaction } from './chain-model.ts'
import { seededRandom } from '../run/random.ts'
import { addressOf, type Call } from './calls.ts'
import { ChainState } from './contract-model.ts'
import type { Wallet } from './wallets.ts'
import { Network } from '../faults/network.ts'
import { network as simulated } from '../run/server-process.ts'

const WHOLE = 10n ** 18n
const CAP = 40n * WHOLE
const GWEI = 10n ** 9n

let real: TestChain
beforeAll(async () => {
  real = await startTestChain()
})
afterAll(() => real.stop())

/** Contract wallets on the real chain, with what the model takes them for. */
const walletCodes: { account: Hex; code: Hex; wallet: Wallet }[] = [
  { account: `0x${'e2'.repeat(20)}`, code: '0x3a600557005b60006000fd', wallet: 'refusesPriced' },
  { account: `0x${'e3'.repeat(20)}`, code: '0x600060006000600034335af100', wallet: 'returns' },
]

const own = { abi: paymentGatewayAbi } as const

/** Encodes a call of the model for the real chain. */
function realCall(call: Call, gateway: Hex, address: (asset: AssetCode) => Hex): { to: Hex; data: Hex; value: bigint } {
  switch (call.do) {
    case 'native':
      return { to: gateway, data: '0x', value: call.amount }
    case 'transfer':
      return {
        to: address(call.asset),
        data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [gateway, call.amount] }),
        value: 0n,
      }
    case 'recharge': {
      const terms = [call.amount, address(call.asset), call.customer, call.reference] as const
      const args = [call.key, encodeAbiParameters(rechargeDataTypes, terms)] as const
      return {
        to: gateway,
        data: encodeFunctionData({ ...own, functionName: 'recharge', args }),
        value: call.asset === 'JU' ? call.amount : 0n,
      }
    }
    case 'pay': {
      const args = [call.id, address(call.asset), call.to, call.amount] as const
      return { to: gateway, data: encodeFunctionData({ ...own, functionName: 'pay', args }), value: 0n }
    }
    case 'pause':
      return {
        to: gateway,
        data: encodeFunctionData({ ...own, functionName: call.paused ? 'pause' : 'unpause' }),
        value: 0n,
      }
    case 'become':
    case 'trade':
    case 'nothing':
      break
  }
  throw new Error(`not for the real chain: ${call.do}`)
}

/** What the server decodes from a block's logs, without hashes and block numbers, which differ between two chains. */
function factsOf(logs: RpcLog[], contracts: { gateway: Hex; usdt: Hex; hash: Hex }) {
  return decodePayments(logs, contracts.gateway, assetsByAddress(contracts)).map(
    ({ txHash: _txHash, blockHash: _blockHash, blockNumber: _blockNumber, ...facts }) => facts,
  )
}

test('the model agrees with the contracts: the same calls give the same events, balances, nonces and answers', async () => {
  const { gateway, usdt, hash, deployer, payers } = real
  const [alice, bob, payer] = payers as readonly [Hex, Hex, Hex]
  const contracts = { gateway, usdt, hash, payer }
  const address = (asset: AssetCode) => addressOf(contracts, asset)
  await real.send(deployer, gateway, encodeFunctionData({ ...own, functionName: 'setPayer', args: [payer] }))
  for (const asset of [NATIVE_ASSET, usdt, hash] as const) {
    await real.send(deployer, gateway, encodeFunctionData({ ...own, functionName: 'setDailyCap', args: [asset, CAP] }))
  }
  await real.mine()

  const begin = await real.client.getBlock()
  const genesis = new ChainState(contracts, CAP)
  const realBalance = (asset: AssetCode, account: Hex) =>
    asset === 'JU'
      ? real.client.getBalance({ address: account })
      : real.client.readContract({ address: address(asset), abi: erc20Abi, functionName: 'balanceOf', args: [account] })
  for (const account of [alice, bob, payer, deployer]) {
    for (const asset of assetCodes) genesis.mint(asset, account, await realBalance(asset, account))
  }
  const wallets = walletCodes.map(({ account }) => account)
  for (const { account, code, wallet } of walletCodes) {
    await real.client.setCode({ address: account, bytecode: code })
    genesis.setWallet(account, wallet)
  }
  const chain = new ChainModel(contracts, genesis, { number: Number(begin.number), timestamp: Number(begin.timestamp) })
  const random = seededRandom(1)
  const nodes = new Network({ chain, random, trace: () => undefined, depth: 3 })
  const clients = {
    real: createChainClient({ network: testNetwork, rpcUrl: real.url, ...patientClient }),
    model: createChainClient({
      network: simulated,
      rpcUrl: 'http://model.simulated',
      retries: 0,
      fetchFn: (url, init) => nodes.request(url as string, init?.body as string),
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
      const { to, data, value } = realCall(call, gateway, address)
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
