import { OperatorError } from '../kernel/errors.ts'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { CHAIN_ID_HEX } from '@candela/protocol/chain/network'
import type { ChainClient } from '../chain/client.ts'
import { type NodeAddress, nodeAddresses } from '../chain/nodes/addresses.ts'
import { openNodes } from '../chain/nodes/nodes.ts'
import { type AssetsByAddress, assetsByAddress } from '../chain/follow/read/decode.ts'
import type { NodeSettings } from '../chain/node/check-node.ts'
import { systemClock } from '../kernel/clock.ts'
import { silentLog } from '../kernel/log.ts'
import type { NodeLimits } from '../chain/node/send-calls.ts'
import { BadKey, loadSigner, type Signer } from '../chain/signer.ts'
import { Secret } from '../kernel/secret.ts'

/** The parts of the chain that the operator's commands need. */
export type OperatorChain = {
  client: ChainClient
  gateway: `0x${string}`
  hash: `0x${string}`
  /** The assets that the payment contract takes. */
  assets: () => AssetsByAddress
  /** The operator's own account, which deposits revenue. It is another one than the payer's. */
  signer: () => Promise<Signer>
}

type Environment = Readonly<Record<string, string | undefined>>

const isAddress = (text: unknown): text is `0x${string}` => typeof text === 'string' && /^0x[0-9a-fA-F]{40}$/.test(text)

/**
 * The chain that the service works on: its settings, or what `npm start` has noted of its own chain under `DATA_DIR`.
 * @throws OperatorError that names what is missing
 */
export async function findChain(env: Environment): Promise<OperatorChain> {
  const noted = await readDeployment(env)
  const address = (variable: string, name: string): `0x${string}` => {
    const found = env[variable] || noted[name]
    if (isAddress(found)) return found.toLowerCase() as `0x${string}`
    throw new OperatorError(`${variable} is not set, and no chain of npm start is in ${dataDir(env)}`)
  }
  const nodes = nodesOf(env)
  const network = {
    chainId: CHAIN_ID_HEX,
    chainName: 'JuChain',
    nativeCurrency: { name: 'JU', symbol: 'JU', decimals: 18 },
    rpcUrls: nodes.map(({ url }) => url),
    blockExplorerUrls: [],
  }
  return {
    client: openNodes({
      network,
      nodes,
      limits: readLimits(env),
      clock: systemClock,
      log: silentLog(),
      maxHeadAge_s: 120,
    }).client,
    gateway: address('GATEWAY_ADDRESS', 'gateway'),
    hash: address('HASH_ADDRESS', 'hash'),
    assets: () => assetsByAddress({ usdt: address('USDT_ADDRESS', 'usdt'), hash: address('HASH_ADDRESS', 'hash') }),
    signer: () => readSigner(env),
  }
}

/** @throws OperatorError for what is no list of nodes */
function nodesOf(env: Environment, url = env['RPC_URL'] || `http://127.0.0.1:${env['RPC_PORT'] || '8545'}`) {
  const nodes = nodeAddresses(url, env['RPC_PROVIDERS'] || undefined, 'host')
  if (typeof nodes === 'string') throw new OperatorError(nodes)
  return nodes
}

/** The nodes of the settings, or another one, and what the service needs of each. */
export function findNodes(env: Environment, other?: string): (NodeSettings & Pick<NodeAddress, 'provider'>)[] {
  const read = (name: string, otherwise: number): number =>
    Number(/^[1-9][0-9]{0,5}$/.exec(env[name] ?? '')?.[0] ?? otherwise)
  const kept = { statesKept: read('RPC_STATES_KEPT', 100), depth: read('CONFIRMATIONS_LARGE', 30) }
  const shared = { chainId: Number(CHAIN_ID_HEX), limits: readLimits(env), ...kept, now: () => systemClock.now() }
  const nodes = other === undefined ? nodesOf(env) : nodesOf({}, other)
  return nodes.map((node) => ({ ...node, ...shared }))
}

/** Reads the limits of the node, as the service is told. */
function readLimits(env: Environment): NodeLimits {
  const read = (name: string): number | undefined => {
    const text = env[name]
    return text !== undefined && /^[1-9][0-9]{0,5}$/.test(text) ? Number(text) : undefined
  }
  return { batch: read('RPC_MAX_BATCH'), perSecond: read('RPC_MAX_PER_SECOND') }
}

/** Confirmations of the largest payments, as the service has them: what is as deep does not change any more. */
export async function findDepth(env: Environment): Promise<number> {
  const set = env['CONFIRMATIONS_LARGE']
  if (set !== undefined && /^[1-9][0-9]{0,3}$/.test(set)) return Number(set)
  return env['RPC_URL'] === undefined && isAddress((await readDeployment(env))['gateway']) ? 2 : 30
}

async function readSigner(env: Environment): Promise<Signer> {
  const { OPERATOR_KEY: value, OPERATOR_KEY_FILE: file } = env
  if (!value && !file) {
    throw new OperatorError('set OPERATOR_KEY_FILE, or OPERATOR_KEY: the key of the account that deposits revenue')
  }
  try {
    return await loadSigner(
      file ? { kind: 'file', path: resolve(file) } : { kind: 'value', value: new Secret(value ?? '') },
      'OPERATOR_KEY',
    )
  } catch (error) {
    if (error instanceof BadKey) throw new OperatorError(error.message, { cause: error })
    throw error
  }
}

const dataDir = (env: Environment): string => resolve(env['DATA_DIR'] || '.data')

async function readDeployment(env: Environment): Promise<Record<string, unknown>> {
  const text = await readFile(join(dataDir(env), 'deployment.json'), 'utf8').catch(() => '{}')
  try {
    const noted: unknown = JSON.parse(text)
    return typeof noted === 'object' && noted !== null ? { ...noted } : {}
  } catch {
    return {}
  }
}
