import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { stablecoinAbi } from '@candela/protocol/abi/stablecoin'
import { uniswapV2PairAbi } from '@candela/protocol/abi/uniswap-v2'
import { createPublicClient, createWalletClient, http, parseEther } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testAccounts } from '@candela/testing/chain/accounts'
import { type Chain, startChain } from '../chain/chain.ts'
import { planDeployment } from './deploy-plan.ts'
import { deploy } from './deploy.ts'

const accounts = testAccounts()
const owner = accounts[0]?.address ?? '0x'
let folder: string
let chain: Chain
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candela-deploy-'))
  chain = await startChain({ folder: join(folder, 'chain'), rich: owner, isTicking: false })
})
afterEach(async () => {
  await chain.stop()
  await rm(folder, { recursive: true, force: true })
})

const options = () => ({ rpcUrl: chain.url, file: join(folder, 'deployment.json'), mine: () => chain.mine() })
const reader = () => createPublicClient({ transport: http(chain.url), cacheTime: 0 })

test('all of it stands: prices, payer, caps, gifts; and a second run sends nothing', async () => {
  const heard: string[] = []
  const found = await deploy({ ...options(), onStep: (title) => heard.push(title) })
  expect(heard).toContain('PaymentGateway')
  const read = reader()
  const price = async (pair: `0x${string}`, token: `0x${string}`) => {
    const call = { address: pair, abi: uniswapV2PairAbi, functionName: 'getReserves' } as const
    const [first, second] = await read.readContract(call)
    const [other, usdt] = token.toLowerCase() < found.usdt.toLowerCase() ? [first, second] : [second, first]
    return (usdt * 1000n) / other
  }
  expect(await price(found.hashPair, found.hash)).toBe(800n)
  expect(await price(found.juPair, found.wju)).toBe(5000n)
  const gateway = { address: found.gateway, abi: paymentGatewayAbi } as const
  expect(await read.readContract({ ...gateway, functionName: 'owner' })).toBe(owner)
  expect(await read.readContract({ ...gateway, functionName: 'payer' })).toBe(accounts[1]?.address)
  expect(await read.readContract({ ...gateway, functionName: 'dailyCap', args: [found.usdt] })).toBe(
    parseEther('100000'),
  )
  for (const { address, index } of accounts.slice(1)) {
    const call = { abi: stablecoinAbi, functionName: 'balanceOf', args: [address] } as const
    expect(await read.readContract({ address: found.usdt, ...call }), `account ${index}`).toBe(parseEther('100000'))
    expect(await read.readContract({ address: found.hash, ...call })).toBe(parseEther('20000'))
    expect(await read.getBalance({ address })).toBe(parseEther('10000'))
  }
  expect(await read.getCode({ address: found.gateway, blockNumber: BigInt(found.startBlock) })).toBeDefined()

  const nonce = await read.getTransactionCount({ address: owner })
  expect(await deploy(options())).toEqual(found)
  await rm(options().file)
  expect(await deploy(options())).toEqual(found)
  expect(await read.getTransactionCount({ address: owner })).toBe(nonce)
})

test('cut short again and again, also between sending and mining, it comes out the same', async () => {
  const { steps, contracts } = await planDeployment(accounts)
  for (let run = 0; ; run += 1) {
    let blocks = 0
    const mine = async () => {
      blocks += 1
      if (blocks > 4) throw new Error('cut')
      await chain.mine()
    }
    try {
      expect(await deploy({ ...options(), mine })).toMatchObject(contracts)
      break
    } catch (error) {
      expect(String(error)).toContain('cut')
      expect(run).toBeLessThan(steps.length)
    }
  }
  expect(await reader().getTransactionCount({ address: owner })).toBe(steps.length)
})

test('a chain that does not hold what the file says is refused', async () => {
  await deploy(options())
  await chain.stop()
  chain = await startChain({ folder: join(folder, 'other'), rich: owner, isTicking: false })
  await expect(deploy(options())).rejects.toThrow(/names a gateway at 0x.* and the chain has no contract there/)
})

test('a step that is reverted is named', async () => {
  const { steps } = await planDeployment(accounts)
  const { account } = accounts[0] ?? {}
  if (account === undefined) throw new Error('no owner')
  const wallet = createWalletClient({ account, transport: http(chain.url) })
  // In place of the stablecoin comes a plain transfer, so that the liquidity finds no token.
  await wallet.sendTransaction({ chain: null, to: owner, value: 1n, nonce: 0, gas: 21_000n, gasPrice: 2_000_000_000n })
  await chain.mine()
  expect(steps[0]?.title).toBe('test USDT')
  await expect(deploy(options())).rejects.toThrow('the step "liquidity" was reverted')
})

test('a gateway of an earlier version is recognised', async () => {
  const found = await deploy(options())
  // A contract that is there and has nothing of what attestations need, as the gateways before them.
  await writeFile(options().file, JSON.stringify({ ...found, gateway: found.usdt }))
  await expect(deploy(options())).rejects.toThrow('use another DATA_DIR')
})
