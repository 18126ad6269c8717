import { lies, tell } from '@candela/testing/proxies/lies'
import { HttpRequestError, TimeoutError } from 'viem'
import type { ChainModel, ModelBlock } from '../model/chain-model.ts'
import type { Random } from '../run/random.ts'
import { answer, type NodeView, type RpcCall } from '../model/node-model.ts'
import { type FaultProfile, noFaults } from './fault-profile.ts'

export type NetworkParts = {
  chain: ChainModel
  random: Random
  trace: (...facts: readonly unknown[]) => void
  /** The smallest number of confirmations that a payment needs; branches are shorter than that. */
  depth: number
}

/** The nodes that the server's requests reach, and the faults of the nodes and of the connection to them. */
export class Network {
  profile: FaultProfile = noFaults
  gasPrice = 10n ** 9n
  /** The tip of a branch that some nodes serve as the chain; null when all nodes agree. */
  branch: ModelBlock | null = null
  /** The block that every node repeats as its head; null while none stalls. */
  stalledAt: ModelBlock | null = null
  /** Another chain that some nodes follow; undefined without one. */
  other: ChainModel | undefined
  /** How often each lie was told about each method. */
  readonly lies = new Map<string, number>()
  /** How many transactions the service has tried to send. */
  sent = 0
  private readonly parts: NetworkParts

  constructor(parts: NetworkParts) {
    this.parts = parts
  }

  /** Called while a request is under way, so that other steps happen before its response. Set by the workload. */
  interleave: () => Promise<void> = () => Promise.resolve()

  /**
   * Sends one HTTP request, a call or a batch, to one node.
   * @throws what viem's own transport throws when a request fails
   */
  async request(url: string, body: string): Promise<Response> {
    const { random, trace } = this.parts
    const calls = JSON.parse(body) as RpcCall | RpcCall[]
    const list = [calls].flat()
    const { profile } = this
    this.sent += list.filter(({ method }) => method === 'eth_sendRawTransaction').length
    const methods = list.map(({ method }) => method).join(',')
    if (profile !== noFaults) {
      if (random.chance(profile.interleaving)) await this.interleave()
      if (random.chance(profile.requestFails)) {
        trace('request fails', methods)
        return this.fail(url, random.below(5))
      }
    }
    const view = this.pickNode(profile)
    const right = []
    for (const call of list) right.push(await answer(view, call))
    const answers = this.toldBy(profile, list, right)
    if (profile !== noFaults && random.chance(profile.responseLost)) {
      trace('response lost', methods)
      throw new TimeoutError({ body: {}, url })
    }
    return new Response(JSON.stringify(Array.isArray(calls) ? answers : (answers[0] ?? null)), {
      headers: { 'content-type': 'application/json' },
    })
  }

  /** The answers of a node that may lie about one of the calls. */
  private toldBy(profile: FaultProfile, calls: readonly RpcCall[], right: readonly { id: number }[]) {
    const { random, trace } = this.parts
    if (profile.lie === 0 || !random.chance(profile.lie)) return right
    const [lie, nth] = [random.pick(lies), random.below(right.length)]
    const method = calls[nth]?.method ?? ''
    trace('lie', lie, method)
    this.lies.set(`${lie} ${method}`, (this.lies.get(`${lie} ${method}`) ?? 0) + 1)
    return tell(lie, right, nth)
  }

  private fail(url: string, kind: number): Response {
    switch (kind) {
      case 0:
        throw new TimeoutError({ body: {}, url })
      case 1:
        return new Response('{}', { status: 500 })
      case 2:
        return new Response('<html>busy</html>', { status: 200 })
      default:
        throw new HttpRequestError({ url, details: 'no connection' })
    }
  }

  /** The node that a request reaches. */
  private pickNode(profile: FaultProfile): NodeView {
    const { chain, random, trace } = this.parts
    const current: NodeView = { chain, tip: chain.head, gasPrice: this.gasPrice }
    if (this.stalledAt !== null) return { ...current, tip: this.stalledAt }
    if (profile === noFaults) return current
    if (this.other !== undefined && random.chance(profile.otherChain)) {
      trace('other chain')
      return { ...current, chain: this.other, tip: this.otherHead(this.other), chainId: '0x1' }
    }
    if (random.chance(profile.staleNode)) {
      const lag = this.drawNodeLag()
      const tip = chain.at(chain.head, chain.head.number - lag)
      trace('stale', lag)
      return tip === undefined ? current : { ...current, tip }
    }
    if (random.chance(profile.forkedNode) && this.branch !== null && this.mayServe(this.branch)) {
      trace('branch', this.branch.number)
      chain.highestShown = Math.max(chain.highestShown, this.branch.number)
      return { ...current, tip: this.branch }
    }
    if (random.chance(profile.phantomHead)) {
      trace('phantom head')
      return { ...current, phantomBlocks: 1 + random.below(5) }
    }
    if (random.chance(profile.missingLogs)) {
      trace('missing logs')
      return { ...current, omitsLogs: true }
    }
    return current
  }

  /** The head of the other chain, which is always somewhat longer than ours. */
  private otherHead(other: ChainModel): ModelBlock {
    const { chain } = this.parts
    while (other.head.number < chain.head.number + 3) other.mine(other.head.timestamp + 1, [])
    return other.head
  }

  /** By how many blocks a stale node is behind: mostly a few, sometimes many, rarely all (a node that starts to synchronise). */
  private drawNodeLag(): number {
    const { chain, random } = this.parts
    if (random.chance(0.05)) return chain.head.number - chain.first
    return random.chance(0.1) ? random.below(40) : 1 + random.below(4)
  }

  /** The highest block that no reorganisation and no branch replaces, because a payment in it may be credited. */
  finalHeight(): number {
    return this.parts.chain.highestShown - this.parts.depth + 1
  }

  private mayServe(tip: ModelBlock): boolean {
    const { chain, depth } = this.parts
    let ancestor: ModelBlock | null = tip
    while (ancestor !== null && chain.at(chain.head, ancestor.number) !== ancestor) ancestor = ancestor.parent
    if (ancestor === null) return false
    return (
      ancestor.number >= this.finalHeight() && tip.number - ancestor.number < depth && tip.number >= this.finalHeight()
    )
  }
}
