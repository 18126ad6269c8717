/** Puts the contracts on a development chain, once: killed at any instant, the next run goes on. */
import { mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { uniswapV2FactoryAbi } from '@candela/protocol/abi/uniswap-v2'
import { CHAIN_ID } from '@candela/protocol/chain/network'
import {
  ContractFunctionExecutionError,
  createPublicClient,
  createWalletClient,
  defineChain,
  type Hex,
  http,
} from 'viem'
import { z } from 'zod'
import { serviceAccount, testAccounts } from '@candela/testing/chain/accounts'
import { type DeployStep, type PlannedContracts, planDeployment } from './deploy-plan.ts'
import { writeFileAtomic } from '@candela/testing/process/write-file-atomic'

const address = z.templateLiteral(['0x', z.string()])
const deploymentFields = z.object({
  chainId: z.number(),
  gateway: address,
  usdt: address,
  hash: address,
  wju: address,
  factory: address,
  router: address,
  hashPair: address,
  juPair: address,
  /** The gateway's first block. */
  startBlock: z.number(),
})
/** Where everything is. */
export type Deployment = z.infer<typeof deploymentFields>

/** The chain to deploy to and where to note the result. */
export interface DeployOptions {
  rpcUrl: string
  /** Such as `<DATA_DIR>/deployment.json`. */
  file: string
  /** Makes a block at once where the chain can; without it the next block is waited for. */
  mine?: () => Promise<unknown>
  /** Hears of each group of steps when it begins. */
  onStep?: (title: string) => void
}

/**
 * Deploys what is not deployed yet. Needs the development mnemonic's first account, with nothing else sent from it
 * before the deployment is complete.
 * @throws when a step is reverted, or the file and the chain do not belong together
 */
export async function deploy(options: DeployOptions): Promise<Deployment> {
  const clients = connect(options.rpcUrl)
  const noted = await readDeployment(options.file)
  if (noted !== undefined) {
    const code = await clients.read.getCode({ address: noted.gateway })
    if (code === undefined) {
      throw new Error(`${options.file} names a gateway at ${noted.gateway}, and the chain has no contract there`)
    }
    await requireCurrent(noted, options.file, clients)
    return noted
  }
  const { steps, contracts } = await planDeployment(testAccounts())
  const done = await clients.read.getTransactionCount({ address: clients.owner, blockTag: 'latest' })
  let title = ''
  for (const step of steps.slice(done)) {
    if (step.title !== title) options.onStep?.(step.title)
    title = step.title
    await send(step, clients, options)
  }
  const deployment = await readBack(contracts, steps, clients)
  await mkdir(dirname(options.file), { recursive: true })
  await writeFileAtomic(options.file, `${JSON.stringify(deployment, undefined, 2)}\n`)
  return deployment
}

/** A data folder may have the chain of an earlier version of Candela, whose gateway is not upgradeable. */
async function requireCurrent({ gateway }: Deployment, file: string, { read }: Clients): Promise<void> {
  try {
    await read.readContract({ address: gateway, abi: paymentGatewayAbi, functionName: 'attester' })
  } catch (error) {
    if (!(error instanceof ContractFunctionExecutionError)) throw error
    throw new Error(
      `${dirname(file)} has the chain of an earlier version, whose gateway has no attester: use another DATA_DIR, or remove this folder`,
      { cause: error },
    )
  }
}

/** Reads what an earlier run noted; undefined when there was none. @throws when the file is not one of ours */
export async function readDeployment(file: string): Promise<Deployment | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  try {
    return deploymentFields.parse(JSON.parse(text))
  } catch (error) {
    throw new Error(`${file} is not a list of deployed contracts`, { cause: error })
  }
}

type Clients = ReturnType<typeof connect>

function connect(rpcUrl: string) {
  const chain = defineChain({
    id: CHAIN_ID,
    name: 'development chain',
    nativeCurrency: { name: 'JU', symbol: 'JU', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })
  const [first] = testAccounts()
  if (first === undefined) throw new Error('There are no test accounts')
  const transport = http(rpcUrl, { retryCount: 5 })
  return {
    owner: first.address,
    read: createPublicClient({ chain, transport, cacheTime: 0, pollingInterval: 50 }),
    write: createWalletClient({ chain, transport, account: first.account }),
  }
}

async function send(step: DeployStep, { read, write }: Clients, { mine }: DeployOptions): Promise<void> {
  // Limits are fixed, because a step that was sent before a kill must come out as the same transaction. Each chain takes
  // transactions of the first kind, also one without a base fee.
  const hash = await write
    .sendTransaction({
      to: step.to,
      data: step.data,
      value: step.value,
      nonce: step.nonce,
      gas: 7_000_000n,
      gasPrice: 100_000_000_000n,
    })
    .catch((error: unknown) => {
      // It waits in the pool since the last run, or has just been mined.
      if (/already (?:known|imported)|nonce too low/i.test(String(error))) return undefined
      throw error
    })
  await mine?.()
  if (hash === undefined) {
    await untilNonce(step.nonce + 1, read, mine)
    return
  }
  const receipt = await read.waitForTransactionReceipt({ hash, timeout: 60_000 })
  if (receipt.status !== 'success') throw new Error(`Deploying failed: the step "${step.title}" was reverted`)
}

async function untilNonce(count: number, read: Clients['read'], mine: DeployOptions['mine']): Promise<void> {
  const [first] = testAccounts()
  if (first === undefined) throw new Error('There are no test accounts')
  for (let attempt = 0; attempt < 600; attempt += 1) {
    if ((await read.getTransactionCount({ address: first.address, blockTag: 'latest' })) >= count) return
    await mine?.()
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`Deploying failed: transaction ${count - 1} of ${first.address} is in no block after a minute`)
}

/** Asks the chain whether all of it is there, rather than trusting that it was sent. */
async function readBack(
  planned: PlannedContracts,
  steps: readonly DeployStep[],
  clients: Clients,
): Promise<Deployment> {
  const { read } = clients
  for (const { creates, title } of steps) {
    if (creates !== undefined && (await read.getCode({ address: creates })) === undefined) {
      throw new Error(`Deploying failed: there is no ${title} at ${creates}`)
    }
  }
  const pairOf = async (token: Hex) => {
    const args = [token, planned.usdt] as const
    const call = { abi: uniswapV2FactoryAbi, functionName: 'getPair', args } as const
    return read.readContract({ address: planned.factory, ...call })
  }
  const hashPair = await pairOf(planned.hash)
  const juPair = await pairOf(planned.wju)
  const gateway = { address: planned.gateway, abi: paymentGatewayAbi } as const
  const [attester, pair] = await Promise.all([
    read.readContract({ ...gateway, functionName: 'attester' }),
    read.readContract({ ...gateway, functionName: 'pair' }),
  ])
  if (attester !== serviceAccount('attester').address || pair !== hashPair) {
    throw new Error(`Deploying failed: the gateway at ${planned.gateway} is not set up`)
  }
  // Its constructor says who owns it, so its first event is in its first block.
  const [first] = await read.getLogs({ address: planned.gateway, fromBlock: 0n, toBlock: 'latest' })
  if (first === undefined) throw new Error(`Deploying failed: the gateway at ${planned.gateway} has no events`)
  return { chainId: CHAIN_ID, ...planned, hashPair, juPair, startBlock: Number(first.blockNumber) }
}
