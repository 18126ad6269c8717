import { HttpRequestError, TimeoutError } from 'viem'
import type { ChainModel, ModelBlock } from '../model/chain-model.ts'
import type { Choices } from '../run/random.ts'
import { answer, type NodeView, type RpcCall } from '../model/node-model.ts'
import { calm, type Weather } from './fault-profile.ts'

export type NetworkParts = {
  chain: ChainModel
  pick: Choices
  trace: (...facts: readonly unknown[]) => void
  /** The number of blocks that a payment waits for at least; branches are shorter than that. */
  depth: number
}

/** The nodes between the server and the chain, good and bad, and the way to them. */
export class Network {
  weather: Weather = calm
  gasPrice = 10n ** 9n
  /** The tip of a branch that some node takes for the chain; null when all agree. */
  branch: ModelBlock | null = null
  private readonly parts: NetworkParts

  constructor(parts: NetworkParts) {
    this.parts = parts
  }

  /** Something that happens while a request is under way; set by whoever drives the simulation. */
  meanwhile: () => Promise<void> = () => Promise.resolve()

  /**
   * Carries one HTTP request, a call or a batch, to one node.
   * @throws what viem's own transport throws when a request fails
   */
  async carry(url: string, body: string): Promise<Response> {
    const { pick, trace } = this.parts
    const calls = JSON.parse(body) as RpcCall | RpcCall[]
    const list = [calls].flat()
    const { weather } = this
    const what = list.map(({ method }) => method).join(',')
    if (weather !== calm) {
      if (pick.chance(weather.meanwhile)) await this.meanwhile()
      if (pick.chance(weather.failing)) {
        trace('fails', what)
        return this.fail(url, pick.below(5))
      }
    }
    const view = this.view(weather)
    const answers = []
    for (const call of list) answers.push(await answer(view, call))
    // In the order in which the node got to them.
    if (weather !== calm && pick.chance(weather.lost)) {
      trace('lost', what)
      throw new TimeoutError({ body: {}, url })
    }
    return new Response(JSON.stringify(Array.isArray(calls) ? answers : answers[0]), {
      headers: { 'content-type': 'application/json' },
    })
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

  /** The node that a request comes to. */
  private view(weather: Weather): NodeView {
    const { chain, pick, trace } = this.parts
    const good: NodeView = { chain, tip: chain.head, gasPrice: this.gasPrice }
    if (weather === calm) return good
    if (pick.chance(weather.stale)) {
      const behind = this.lagOfANode()
      const tip = chain.at(chain.head, chain.head.number - behind)
      trace('stale', behind)
      return tip === undefined ? good : { ...good, tip }
    }
    if (pick.chance(weather.forked) && this.branch !== null && this.mayShow(this.branch)) {
      trace('branch', this.branch.number)
      chain.shown = Math.max(chain.shown, this.branch.number)
      return { ...good, tip: this.branch }
    }
    if (pick.chance(weather.boasting)) {
      trace('boasting')
      return { ...good, boasts: 1 + pick.below(5) }
    }
    if (pick.chance(weather.logless)) {
      trace('logless')
      return { ...good, losesLogs: true }
    }
    return good
  }

  /** Mostly a little; sometimes much; now and then a node has only just begun to read the chain. */
  private lagOfANode(): number {
    const { chain, pick } = this.parts
    if (pick.chance(0.05)) return chain.head.number - chain.first
    return pick.chance(0.1) ? pick.below(40) : 1 + pick.below(4)
  }

  /** The lowest block that every reorganisation and every branch must leave in place: a payment in it may be credited. */
  floor(): number {
    return this.parts.chain.shown - this.parts.depth + 1
  }

  private mayShow(tip: ModelBlock): boolean {
    const { chain, depth } = this.parts
    let shared: ModelBlock | null = tip
    while (shared !== null && chain.at(chain.head, shared.number) !== shared) shared = shared.parent
    if (shared === null) return false
    return shared.number >= this.floor() && tip.number - shared.number < depth && tip.number >= this.floor()
  }
}
