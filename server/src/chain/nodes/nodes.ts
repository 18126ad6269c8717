import { HOUR_MS, MINUTE_MS } from '@candela/protocol/units'
import type { RpcBlock } from 'viem'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { type ChainClient, type ChainClientOptions, clientOf, senderOf } from '../client.ts'
import { type NodeAddress, nameOf } from './addresses.ts'
import { failoverSender } from './failover.ts'
import { conditionsOf, type NodeHealth, orderOf, type Sight, withCounts } from './health.ts'

/** A node and how it is. Its name is the host of its URL, which holds no key. */
export type Node = {
  name: string
  provider: string | null
  client: ChainClient
  health: () => NodeHealth
  /** When most nodes last contradicted it about a decision on money, in this process; null while they have not. */
  outvotedAt: () => Date | null
  outvote: (at: Date) => void
}

export type Nodes = {
  /** Asks the first node that works, and another one when it fails. */
  client: ChainClient
  all: readonly Node[]
  /** Asks each node for its newest block, and decides which are asked first and which count. */
  look: () => Promise<void>
}

export type NodesOptions = Omit<ChainClientOptions, 'rpcUrl'> & {
  nodes: readonly NodeAddress[]
  clock: Clock
  log: Log
  /** Seconds; a head that is older does not follow the chain, or the chain stands still. */
  maxHeadAge_s: number
}

/** A node that has failed is asked after the others for so long. */
const AVOIDED_MS = MINUTE_MS / 2

/** Nothing is requested before the first call. With one node its client is that of `createChainClient`. */
export function openNodes(options: NodesOptions): Nodes {
  const { nodes, clock, log, maxHeadAge_s, network, retries = 2 } = options
  const senders = nodes.map(({ url }) => senderOf({ ...options, rpcUrl: url }))
  let health = nodes.map((): NodeHealth => ({ condition: 'ok', since: null, counts: true }))
  const avoidedUntil = nodes.map(() => 0)
  const outvotedAt = nodes.map((): Date | null => null)
  const all = nodes.map(({ url, provider }, index): Node => ({
    name: nameOf(url),
    provider,
    client: clientOf(network, senders[index] as (typeof senders)[number], retries),
    health: () => health[index] as NodeHealth,
    outvotedAt: () => outvotedAt[index] ?? null,
    outvote: (at) => {
      outvotedAt[index] = at
    },
  }))
  const [only] = all
  if (only !== undefined && all.length === 1) return { client: only.client, all, look: () => Promise.resolve() }

  const failovers = senders.map((send, index) => ({
    send,
    answered(didItsPart: boolean) {
      avoidedUntil[index] = didItsPart ? 0 : clock.now().getTime() + AVOIDED_MS
    },
  }))
  const ordered = () => {
    const now = clock.now().getTime()
    const isFailing = all.map((node, index) => (avoidedUntil[index] ?? 0) > now || isOutvoted(node, clock.now()))
    const order = orderOf(
      isFailing,
      health.map(({ condition }) => condition),
    )
    return order.flatMap((index) => failovers[index] ?? [])
  }
  return {
    client: clientOf(network, failoverSender(ordered), retries),
    all,
    async look() {
      const sights = await Promise.all(all.map(sightOf))
      const now = clock.now()
      const before = health
      health = withCounts(before, conditionsOf(sights, now, maxHeadAge_s), now)
      for (const [index, { name }] of all.entries()) report(log, name, before[index], health[index])
    },
  }
}

/** Whether most nodes have contradicted it within the last hour. For so long the alarm lasts, and it is asked last. */
export const isOutvoted = ({ outvotedAt }: Node, now: Date): boolean =>
  now.getTime() - (outvotedAt()?.getTime() ?? 0) < HOUR_MS

async function sightOf({ client }: Node): Promise<Sight> {
  try {
    const block = (await client.request({ method: 'eth_getBlockByNumber', params: ['latest', false] })) as RpcBlock
    return { number: BigInt(block.number ?? 0), at: new Date(Number(block.timestamp) * 1_000) }
  } catch {
    return null
  }
}

function report(log: Log, node: string, before: NodeHealth | undefined, now: NodeHealth | undefined): void {
  if (before === undefined || now === undefined) return
  const facts = { node, condition: now.condition }
  if (before.counts && !now.counts) {
    log.error({ event: 'node.left', ...facts }, 'a node is down or behind for ten minutes: it is not counted any more')
  } else if (!before.counts && now.counts) log.info({ event: 'node.back', ...facts }, 'a node counts again')
}
