import { CHAIN_ID } from '@candela/protocol/network'
import type { Hex } from 'viem'
import { type Database, transaction } from '../db/open.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import { type ChainClient, RpcError } from './client.ts'
import type { ConfirmationRule } from './confirmations.ts'
import { creditConfirmed, type SettlePayments } from './credit.ts'
import { assetsByAddress } from './decode.ts'
import { firstWidth, type FollowDeps, followOnce } from './follow-blocks.ts'
import { type Loop, runLoop } from './loop.ts'
import { observePrices, type PricedPair, readPrices, valueAt } from './price.ts'
import { type ChainReader, chainReader } from './read-chain.ts'
import { startFollowing } from './start-following.ts'

export type ChainDeps = {
  db: Database
  clock: Clock
  log: Log
  /** Without retries of its own: the loops repeat. */
  client: ChainClient
  settle: SettlePayments
  /** Addresses in lower case. */
  contracts: { gateway: Hex; usdt: Hex; hash: Hex; wju: Hex; hashPair: Hex; juPair: Hex }
  /** Block in which the gateway was deployed. */
  startBlock: bigint
  confirmations: ConfirmationRule
  pollInterval_ms: number
  /** Time between two looks at the pairs. */
  priceInterval_ms?: number
  /** Most payments credited in one transaction. */
  creditBatch?: number
}

export type RunningChain = {
  /** Lets what is under way finish. May be called twice. */
  stop(): Promise<void>
  /** Why each loop's last try failed; null for one that works. */
  failures(): { following: string | null; crediting: string | null; pricing: string | null }
}

/**
 * Follows the chain, credits what is deep enough and looks at prices, until it is stopped. A node that is away or
 * wrong does not stop it: it says so in the log once and tries again.
 * @throws when the database follows another contract
 */
export async function startChain(deps: ChainDeps): Promise<RunningChain> {
  const { db, clock, log, contracts, confirmations } = deps
  await transaction(db, (tx) =>
    startFollowing(tx, { chainId: CHAIN_ID, gateway: contracts.gateway, startBlock: deps.startBlock }, clock.now()),
  )
  const reader = chainReader(deps.client, contracts.gateway)
  const follow: FollowDeps = {
    db,
    reader,
    clock,
    log,
    gateway: contracts.gateway,
    assets: assetsByAddress(contracts),
    confirmations,
    loadValuation: async (tx, now) => valueAt(await readPrices(tx, now)),
  }
  const width = firstWidth()
  const batchSize = deps.creditBatch ?? 500
  const pairs: PricedPair[] = [
    { asset: 'HASH', token: contracts.hash, pair: contracts.hashPair },
    { asset: 'JU', token: contracts.wju, pair: contracts.juPair },
  ]
  // Until the node is known to be the right one, nobody uses its answers.
  let checking: Promise<void> | undefined
  const checked = (): Promise<void> =>
    (checking ??= checkNode(reader, contracts.gateway).catch((error: unknown) => {
      checking = undefined
      throw error
    }))
  const loop = (name: string, interval_ms: number, work: () => Promise<boolean>): Loop =>
    runLoop({ name, interval_ms, work, log })
  const following = loop('following the chain', deps.pollInterval_ms, async () => {
    await checked()
    return followOnce(follow, width)
  })
  const crediting = loop('crediting payments', deps.pollInterval_ms, async () => {
    const { credited, failed } = await creditConfirmed({ db, clock, log, settle: deps.settle, batchSize })
    return credited + failed === batchSize
  })
  const pricing = loop('observing prices', deps.priceInterval_ms ?? 10_000, async () => {
    await checked()
    await observePrices({ db, client: deps.client, pairs })
    return false
  })
  return {
    async stop() {
      await Promise.all([following.stop(), crediting.stop(), pricing.stop()])
    },
    failures: () => ({
      following: following.failure(),
      crediting: crediting.failure(),
      pricing: pricing.failure(),
    }),
  }
}

/** Refuses to take another chain's blocks for ours. */
async function checkNode(reader: ChainReader, gateway: string): Promise<void> {
  const chainId = await reader.chainId()
  if (chainId !== CHAIN_ID) throw new RpcError('badAnswer', `the node is on chain ${chainId}, not ${CHAIN_ID}`)
  if (!(await reader.gatewayExists()))
    throw new RpcError('badAnswer', `no contract at the gateway's address ${gateway}`)
}
