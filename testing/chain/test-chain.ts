import { loadArtifact, uniswapArtifact } from '@candela/contracts/artifacts.ts'
import { type GatewayRoles, gatewayArguments, openingCalls } from './gateway.ts'
import { startAnvil } from './anvil.ts'
import { type Edr, startHardhat } from './hardhat.ts'
import { JUCHAIN } from './juchain.ts'
import { startJuchainProxy } from '../proxies/juchain-proxy.ts'
import { stablecoinAbi } from '@candela/protocol/abi/stablecoin'
import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { uniswapV2FactoryAbi, uniswapV2RouterAbi } from '@candela/protocol/abi/uniswap-v2'
import { type ActionKey, NATIVE_ASSET, rechargeDataTypes } from '@candela/protocol/chain/action-data'
import { utcDay } from '@candela/protocol/calendar'
import { CHAIN_ID_HEX, type NetworkConfig } from '@candela/protocol/chain/network'
import {
  type Abi,
  createTestClient,
  encodeAbiParameters,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  http,
  maxUint256,
  numberToHex,
  publicActions,
  walletActions,
} from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { must } from '@candela/server/kernel/assert'
import { HANGS_AFTER_MS } from '../limits.ts'
import { chainOf } from '@candela/server/chain/client'

/** For clients that a test calls itself: a slow node is no fault, and one that fails is told at once. */
export const patientClient = { retries: 0, timeout_ms: HANGS_AFTER_MS } as const

export const testNetwork: NetworkConfig = {
  chainId: CHAIN_ID_HEX,
  chainName: 'Test chain',
  nativeCurrency: { name: 'JU', symbol: 'JU', decimals: 18 },
  rpcUrls: [],
  blockExplorerUrls: [],
}

export type TestPayment = {
  key?: Exclude<ActionKey, 'native'>
  asset?: Hex
  amount?: bigint
  customer?: Hex
  reference?: string
  from?: Hex
  /** The payment contract; by default that of the chain. */
  to?: Hex
}

export type TestChain = Awaited<ReturnType<typeof startTestChain>>

/**
 * A chain of its own with our contracts and Uniswap's, where blocks are mined when the test says so. Accounts are
 * anvil's own, which it signs for; they have approved the gateway and the router for everything.
 * @param rules With those of JuChain the node at `url` refuses what one of JuChain refuses.
 * @param atNoon The chain's time begins at noon UTC, for tests that take their time from it: no day ends while they run.
 * @param hardfork The newest fork that the chain knows; by default the newest that our contracts and tests need.
 * @param edr The library of Hardhat Network, whose node is started instead of anvil.
 */
export async function startTestChain({
  atNoon = false,
  rules = 'anvil',
  hardfork,
  edr,
}: { atNoon?: boolean; rules?: 'anvil' | 'juchain'; hardfork?: string; edr?: Edr } = {}) {
  if (edr !== undefined) return deployInto(await startHardhat(edr), { mode: 'hardhat' })
  const time = atNoon ? ['--timestamp', String(Date.parse(`${utcDay(new Date())}T12:00:00Z`) / 1_000)] : []
  const isJuchain = rules === 'juchain'
  const gas = isJuchain
    ? ['--gas-limit', String(JUCHAIN.gasLimit), '--gas-price', String(JUCHAIN.minGasPrice)]
    : ['--gas-limit', '1000000000']
  const args = ['--no-mining', '--order', 'fifo', ...gas, ...time]
  const anvil = await startAnvil({
    args,
    ...(isJuchain ? { hardfork: JUCHAIN.hardfork } : hardfork === undefined ? {} : { hardfork }),
  })
  try {
    return await deployInto(anvil, {
      proxy: isJuchain ? await startJuchainProxy(anvil.url) : null,
      hasBaseFee: !isJuchain && hardfork !== JUCHAIN.hardfork,
    })
  } catch (error) {
    await anvil.stop()
    throw error
  }
}

/** Keys of the payer and of the attester of each chain's own contract. */
export const payerKey: Hex = `0x${'5e'.repeat(32)}`
export const attesterKey: Hex = `0x${'5f'.repeat(32)}`
/** More than any call of a test needs. */
const GAS = numberToHex(4_000_000)
/** More than any withdrawal of a test reaches: what the contract can keep. */
const CAP = 2n ** 104n - 1n

async function deployInto(
  anvil: { url: string; stop: () => Promise<void> },
  {
    mode = 'anvil',
    proxy = null,
    hasBaseFee = true,
  }: {
    mode?: 'anvil' | 'hardhat'
    proxy?: Awaited<ReturnType<typeof startJuchainProxy>> | null
    hasBaseFee?: boolean
  },
) {
  const client = createTestClient({
    mode,
    chain: chainOf(testNetwork),
    // Repeated after a time-out, a request would mine or pay twice.
    transport: http(anvil.url, { timeout: HANGS_AFTER_MS }),
    cacheTime: 0,
  })
    .extend(publicActions)
    .extend(walletActions)
  const accounts = await client.getAddresses()
  const [owner, ...payers] = accounts.map((account) => account.toLowerCase() as Hex)
  const deployer = must(owner, 'anvil has accounts')

  const price = hasBaseFee ? {} : { gasPrice: numberToHex(20n * JUCHAIN.minGasPrice) }
  const mine = (blocks = 1) => client.mine({ blocks, interval: 1 })
  const send = (from: Hex, to: Hex | null, data: Hex, value = 0n): Promise<Hex> =>
    client.request<{ Method: 'eth_sendTransaction'; Parameters: unknown[]; ReturnType: Hex }>({
      method: 'eth_sendTransaction',
      // A fixed limit, because an estimate would not know of what waits before it; and a price that every chain takes.
      params: [{ from, to, data, value: `0x${value.toString(16)}`, gas: to === null ? '0x7a1200' : GAS, ...price }],
    })
  const mined = async (hash: Hex) => {
    await mine()
    const receipt = await client.getTransactionReceipt({ hash })
    if (receipt.status !== 'success') throw new Error(`transaction ${hash} was reverted`)
    return receipt
  }
  const deploy = async (artifact: { abi: readonly unknown[]; bytecode: Hex }, args: readonly unknown[]) => {
    const data = encodeDeployData({ abi: artifact.abi as Abi, bytecode: artifact.bytecode, args })
    const { contractAddress, blockNumber } = await mined(await send(deployer, null, data))
    return { address: must(contractAddress, 'a deployment has an address').toLowerCase() as Hex, blockNumber }
  }

  const stop = async () => {
    await proxy?.stop()
    await anvil.stop()
  }

  const supply = 10n ** 30n
  const token = await loadArtifact('StablecoinToken')
  const { address: usdt } = await deploy(token, ['Test USDT', 'USDT', supply, deployer])
  const { address: hash } = await deploy(token, ['Test HASH', 'HASH', supply, deployer])
  const { address: wju } = await deploy(await uniswapArtifact('WETH9'), [])
  const { address: factory } = await deploy(await uniswapArtifact('UniswapV2Factory'), [deployer])
  const { address: router } = await deploy(await uniswapArtifact('UniswapV2Router02'), [factory, wju])
  /** Deploys a payment contract into which money can come. */
  const deployGateway = async (roles: Omit<GatewayRoles, 'owner'>) => {
    const construction = gatewayArguments({ owner: deployer, ...roles }, { router, usdt, hash })
    const deployed = await deploy(await loadArtifact('PaymentGateway'), construction)
    for (const data of openingCalls(hash)) await mined(await send(deployer, deployed.address, data))
    return { gateway: deployed.address, startBlock: deployed.blockNumber }
  }
  const { gateway, startBlock } = await deployGateway({
    payer: privateKeyToAddress(payerKey),
    attester: privateKeyToAddress(attesterKey),
    caps: [CAP, CAP, CAP],
  })
  for (const key of [payerKey, attesterKey]) {
    await client.setBalance({ address: privateKeyToAddress(key), value: 1_000n * 10n ** 18n })
  }
  for (const asset of [usdt, hash]) {
    const call = { abi: stablecoinAbi } as const
    for (const account of [deployer, ...payers]) {
      for (const spender of [gateway, router]) {
        await send(
          account,
          asset,
          encodeFunctionData({ ...call, functionName: 'approve', args: [spender, maxUint256] }),
        )
      }
      if (account === deployer) continue
      const share = encodeFunctionData({ ...call, functionName: 'transfer', args: [account, supply / 100n] })
      await send(deployer, asset, share)
    }
  }
  // More than fits into one block of JuChain.
  await mine(proxy === null ? 1 : 20)

  /** Sends a payment to the gateway; it is in no block until `mine`. */
  const pay = (payment: TestPayment = {}): Promise<Hex> => {
    const { key = 'deposit', asset = usdt, amount = 10n ** 18n, reference = '' } = payment
    const from = payment.from ?? must(payers[0], 'anvil has accounts')
    const terms = [amount, asset, payment.customer ?? from, reference] as const
    const data = encodeFunctionData({
      abi: paymentGatewayAbi,
      functionName: 'recharge',
      args: [key, encodeAbiParameters(rechargeDataTypes, terms)],
    })
    return send(from, payment.to ?? gateway, data, asset === NATIVE_ASSET ? amount : 0n)
  }

  /** Makes the two pairs and fills them with the deployer's tokens; amounts in base units. */
  const openPairs = async (reserves: { hash: bigint; hashUsdt: bigint; ju: bigint; juUsdt: bigint }) => {
    const deadline = 2n ** 40n
    const shared = [1n, 1n, deployer, deadline] as const
    const addHash = encodeFunctionData({
      abi: uniswapV2RouterAbi,
      functionName: 'addLiquidity',
      args: [hash, usdt, reserves.hash, reserves.hashUsdt, ...shared],
    })
    const addJu = encodeFunctionData({
      abi: uniswapV2RouterAbi,
      functionName: 'addLiquidityETH',
      args: [usdt, reserves.juUsdt, ...shared],
    })
    await mined(await send(deployer, router, addHash))
    await mined(await send(deployer, router, addJu, reserves.ju))
    const pairOf = (asset: Hex) =>
      client.readContract({ address: factory, abi: uniswapV2FactoryAbi, functionName: 'getPair', args: [asset, usdt] })
    return {
      hashPair: (await pairOf(hash)).toLowerCase() as Hex,
      juPair: (await pairOf(wju)).toLowerCase() as Hex,
    }
  }

  /** Replaces the newest blocks by as many others, which hold the given transactions and nothing else. */
  const reorganise = (depth: number, transactions: readonly (readonly [raw: Hex, blockOffset: number])[] = []) =>
    client.request<{ Method: 'anvil_reorg'; Parameters: unknown[]; ReturnType: null }>({
      method: 'anvil_reorg',
      params: [depth, transactions],
    })

  const rawOf = (transaction: Hex) =>
    client.request<{ Method: 'eth_getRawTransactionByHash'; Parameters: unknown[]; ReturnType: Hex }>({
      method: 'eth_getRawTransactionByHash',
      params: [transaction],
    })

  return {
    url: proxy?.url ?? anvil.url,
    /** Addresses from which and to which nothing is sent, lower case; a chain without such a list ignores them. */
    blocked: proxy?.blocked ?? new Set<string>(),
    stop,
    client,
    deployer,
    payers: payers as readonly Hex[],
    usdt,
    hash,
    wju,
    router,
    gateway,
    startBlock,
    deployGateway,
    mine,
    send,
    mined,
    pay,
    openPairs,
    reorganise,
    rawOf,
    [Symbol.asyncDispose]: stop,
  }
}
