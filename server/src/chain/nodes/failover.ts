import { RpcRequestError } from 'viem'
import { RpcError } from '../ask.ts'
import type { RpcCall } from '../node/read-answers.ts'
import type { SendCall } from '../node/send-calls.ts'

export type FailoverNode = {
  send: SendCall
  /** Is told after each request whether the node did its part. */
  answered: (didItsPart: boolean) => void
}

type Waiting = { call: RpcCall; resolve: (result: unknown) => void; reject: (error: unknown) => void }
type Result = PromiseSettledResult<unknown>

const isSent = ({ call }: Waiting): boolean => call.method === 'eth_sendRawTransaction'

/**
 * Sends the calls of one tick to one node, so that their answers are about one state of the chain. When the node fails, or refuses
 * one of them for another reason than a revert, all of them are sent to the next; the node that refuses the fewest counts.
 * A signed transaction goes to every node, so that none can keep it from the others.
 * @param ordered the nodes in the order in which they are to be asked now
 */
export function failoverSender(ordered: () => readonly FailoverNode[]): SendCall {
  let waiting: Waiting[] = []
  const flush = (): void => {
    const calls = waiting
    waiting = []
    for (const call of calls.filter(isSent)) void offer(ordered(), call)
    const asked = calls.filter((call) => !isSent(call))
    if (asked.length > 0) void deliver(ordered(), asked)
  }
  return (call) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setTimeout(flush, 0)
      waiting.push({ call, resolve, reject })
    })
}

async function deliver(nodes: readonly FailoverNode[], calls: readonly Waiting[]): Promise<void> {
  let best: Result[] = []
  for (const node of nodes) {
    const results = await Promise.allSettled(calls.map(({ call }) => node.send(call)))
    node.answered(!results.some(isFault))
    if (best.length === 0 || failures(results) < failures(best)) best = results
    if (failures(best) === 0) break
  }
  for (const [index, { resolve, reject }] of calls.entries()) settle(best[index], { resolve, reject })
}

async function offer(nodes: readonly FailoverNode[], { call, resolve, reject }: Waiting): Promise<void> {
  const results = await Promise.allSettled(nodes.map((node) => node.send(call)))
  const answers = results.filter((result) => !isFault(result))
  settle(results.find(({ status }) => status === 'fulfilled') ?? answers[0] ?? results[0], { resolve, reject })
}

function settle(result: Result | undefined, { resolve, reject }: Pick<Waiting, 'resolve' | 'reject'>): void {
  if (result?.status === 'fulfilled') resolve(result.value)
  else reject(result?.reason ?? new RpcError('unreachable', 'there is no node'))
}

const failures = (results: readonly Result[]): number => results.filter(isFailure).length

/** Nothing that another node could answer better: the contract itself has refused. */
const isRevert = (error: unknown): boolean =>
  error instanceof RpcRequestError && (error.code === 3 || /revert/i.test(error.details))

const isFailure = (result: Result): boolean => result.status === 'rejected' && !isRevert(result.reason)

/** The node gave no answer at all, or one that cannot be used. */
const isFault = (result: Result): boolean =>
  result.status === 'rejected' && result.reason instanceof RpcError && result.reason.failure !== 'refused'
