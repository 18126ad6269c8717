import { CHAIN_ID } from '@candela/protocol/chain/network'
import { numberToHex } from 'viem'
import type { Database } from '../../db/open.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { ask, RpcError } from '../ask.ts'
import type { ChainClient } from '../client.ts'
import type { At } from '../payout/payout-chain.ts'
import { endDispute, noteDispute, readRuling } from './disputes.ts'
import { LEAVES_AFTER_MS } from './health.ts'
import { isOutvoted, type Node, type Nodes } from './nodes.ts'
import { outcomeOf, reachedByMajority, textOf, type Vote } from './vote.ts'

/**
 * The name of a decision, in two words: `withdrawal`, `payment` or `attestation` and its number, `nonce` or `signing` and an account,
 * or `prices all`; and a block that the answer is about, null where the answer itself names one.
 */
export type Decision = { name: string; at: At | null }

/**
 * Asks each node that counts. Null while no more than half of them give the same answer about the same block: then nothing may be
 * decided. `ask` must only depend on what the node answers, and write nothing down.
 * @throws RpcError from the only node, where there is one
 */
export type Agree<C = ChainClient> = <T>(
  decision: Decision,
  ask: (chain: C) => Promise<T>,
) => Promise<{ agreed: T } | null>

/** Agreement where there is one node. */
export const agreeAlone =
  <C>(chain: C): Agree<C> =>
  async (_decision, question) => ({ agreed: await question(chain) })

/** The same agreement for what asks through something else than the client itself. */
export const agreeThrough =
  <C>(agree: Agree, open: (client: ChainClient) => C): Agree<C> =>
  (decision, question) =>
    agree(decision, (client) => question(open(client)))

/** The statement of a node: another block at that height, or the answer at ours. */
type Said<T> = { block: string } | { fact: T }

export function agreement({ db, clock, log }: { db: Database; clock: Clock; log: Log }, nodes: Nodes): Agree {
  const [only] = nodes.all
  if (only !== undefined && nodes.all.length === 1) return agreeAlone(only.client)
  const silentSince = new Map<string, number>()
  /** Whether too few nodes have answered for so long that operators have to know. */
  const isSilentForLong = (name: string): boolean => {
    const now = clock.now().getTime()
    const since = silentSince.get(name) ?? now
    silentSince.set(name, since)
    return now - since >= LEAVES_AFTER_MS
  }
  /** Most nodes are right as far as can be known: whoever runs the service has to look at the others. */
  const noteOutvoted = (decision: Decision, given: readonly Vote<unknown>[], agreed: unknown): void => {
    for (const { node: name, answer } of given) {
      const node = nodes.all.find((one) => one.name === name)
      if (node === undefined || textOf(answer) === textOf(agreed)) continue
      const now = clock.now()
      const isKnown = isOutvoted(node, now)
      node.outvote(now)
      if (isKnown) continue
      const facts = { chain: CHAIN_ID, node: name, decision: decision.name, answer: textOf(answer) }
      log.error(
        { event: 'node.outvoted', ...facts, agreed: textOf(agreed) },
        'most nodes contradict one about a decision on money: what it says does not count',
      )
    }
  }
  return async (decision, question) => {
    const counted = nodes.all.filter(({ health }) => health().counts)
    const votes = await Promise.all(counted.map((node) => voteOf(node, decision, question)))
    const given = votes.filter((vote) => vote !== null)
    const outcome = outcomeOf(given, counted.length)
    if (typeof outcome === 'object' && 'fact' in outcome.agreed) {
      silentSince.delete(decision.name)
      await endDispute(db, decision.name)
      noteOutvoted(decision, given, outcome.agreed)
      return { agreed: outcome.agreed.fact }
    }
    const ruled = ruling(given, await readRuling(db, decision.name))
    if (ruled !== null) return { agreed: ruled.fact }
    if (outcome === 'silent' && !isSilentForLong(decision.name)) return null
    // Two answers differ, most nodes have another block than the one that is followed here, or too few answer.
    const answers = JSON.stringify(Object.fromEntries(given.map(({ node, answer }) => [node, textOf(answer)])))
    if (await noteDispute(db, { decision: decision.name, answers }, clock.now())) {
      const facts = { chain: CHAIN_ID, decision: decision.name, answers }
      log.error(
        { event: 'nodes.disagree', ...facts },
        'the nodes contradict each other, or too few answer: this decision waits',
      )
    }
    return null
  }
}

const ruling = <T>(votes: readonly Vote<Said<T>>[], ruledFor: string | null): { fact: T } | null => {
  const answer = votes.find(({ node }) => node === ruledFor)?.answer
  return answer !== undefined && 'fact' in answer ? answer : null
}

/** Null from a node that does not answer, or does not have the block yet. */
async function voteOf<T>(
  { name, client }: Node,
  { at }: Decision,
  question: (client: ChainClient) => Promise<T>,
): Promise<Vote<Said<T>> | null> {
  try {
    if (at !== null) {
      const hash = (await blockAt(client, at.number))?.hash?.toLowerCase()
      if (hash === undefined) return null
      if (hash !== at.hash) return { node: name, answer: { block: hash } }
    }
    return { node: name, answer: { fact: await question(client) } }
  } catch (error) {
    if (error instanceof RpcError) return null
    throw error
  }
}

/** Null where the node does not have the block. @throws RpcError */
const blockAt = (client: ChainClient, number: bigint) =>
  ask(`block ${number}`, () => client.request({ method: 'eth_getBlockByNumber', params: [numberToHex(number), false] }))

/** The newest block that more than half of the nodes that count have; null where fewer answer. */
export async function majorityHead(nodes: Nodes): Promise<bigint | null> {
  const counted = nodes.all.filter(({ health }) => health().counts)
  return reachedByMajority(await Promise.all(counted.map(headOf)))
}

async function headOf({ client }: Node): Promise<bigint | null> {
  try {
    return await ask('newest block', () => client.getBlockNumber())
  } catch (error) {
    if (error instanceof RpcError) return null
    throw error
  }
}
