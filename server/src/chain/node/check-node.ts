import { type Hex, numberToHex, type RpcBlock, type RpcLog } from 'viem'
import { RpcError, type RpcFailure } from '../ask.ts'
import { callSender, type NodeLimits, type SendCall } from './send-calls.ts'

/** One thing that a node must offer, and what was found of it. */
export type NodeCheck = {
  check: string
  ok: boolean
  found: string
  /** False where the node gave no answer, or no time for one: that says nothing about what it offers. */
  isAnswered: boolean
}

export type NodeSettings = {
  url: string
  chainId: number
  limits: NodeLimits
  /** How many blocks below the head states must be kept. */
  statesKept: number
  /** Confirmations of the largest payments. */
  depth: number
  now: () => Date
}

const TIMEOUT_MS = 20_000
/** A head that is older does not follow the chain, or the chain stands still. */
const MAX_HEAD_AGE_S = 120
/** Calls that are sent at once to find out what a batch may have. */
const CALLS_AT_ONCE = 99
/** Blocks in which a transaction is looked for. */
const SEARCHED_BLOCKS = 50
const NO_BLOCK = `0x${'de'.repeat(32)}`
const ANY_ACCOUNT = `0x${'0'.repeat(39)}1`

type Node = {
  send: SendCall
  settings: NodeSettings
  head: RpcBlock & { hash: Hex; number: Hex }
  requests: () => number
}

/**
 * Asks a node for each thing that the service needs. What cannot be found out is not ok, with the node's own words. Nothing is
 * changed on the chain.
 */
export async function checkNode(settings: NodeSettings): Promise<NodeCheck[]> {
  let requests = 0
  const fetchFn = (url: string, init: RequestInit): Promise<Response> => {
    requests += 1
    return fetch(url, init)
  }
  const send = callSender({ ...settings, timeout_ms: TIMEOUT_MS, fetchFn })
  const head = await attempt('chain and head', async () => {
    const block = (await send({ method: 'eth_getBlockByNumber', params: ['latest', false] })) as Node['head']
    const age_s = Math.round(settings.now().getTime() / 1000 - Number(block.timestamp))
    const found = `chain ${settings.chainId}, block ${Number(block.number)}, ${age_s} s old`
    return { ok: Math.abs(age_s) <= MAX_HEAD_AGE_S, found, block }
  })
  const { block } = head
  const first: NodeCheck = { check: head.check, ok: head.ok, found: head.found, isAnswered: head.isAnswered }
  // Without a head there is nothing to ask about.
  if (block === undefined) return [first]
  const node: Node = { send, settings, head: block, requests: () => requests }
  const found: NodeCheck[] = [first]
  for (const [check, look] of Object.entries(looks)) {
    const { ok, found: words, isAnswered } = await attempt(check, () => look(node))
    found.push({ check, ok, found: words, isAnswered })
  }
  return found
}

type Found = { ok: boolean; found: string }

const noAnswer: readonly RpcFailure[] = ['unreachable', 'timeout', 'limited', 'wrongChain']

async function attempt<T extends Found>(check: string, look: () => Promise<T>): Promise<NodeCheck & Partial<T>> {
  try {
    return { check, isAnswered: true, ...(await look()) }
  } catch (error) {
    const refused = error instanceof Error ? refusalOf(error) : String(error)
    const isAnswered = !(error instanceof RpcError && noAnswer.includes(error.failure))
    return { check, ok: false, found: refused, isAnswered } as NodeCheck & Partial<T>
  }
}

/** viem's messages hold what was sent; only the node's own words are wanted. */
const refusalOf = (error: Error): string =>
  error instanceof RpcError ? error.message : 'details' in error ? String(error.details) : error.message

const numberOf = (head: Node['head'], below: number): Hex =>
  numberToHex(BigInt(Math.max(0, Number(head.number) - below)))

const balanceAt = (send: SendCall, at: unknown): Promise<unknown> =>
  send({ method: 'eth_getBalance', params: [ANY_ACCOUNT, at] })

async function hasAnswer(call: Promise<unknown>): Promise<boolean> {
  try {
    await call
    return true
  } catch (error) {
    // A request that the node did not get says nothing about what it offers.
    if (error instanceof RpcError && error.failure !== 'refused') throw error
    return false
  }
}

const looks: Readonly<Record<string, (node: Node) => Promise<Found>>> = {
  async synchronised({ send }) {
    const syncing = await send({ method: 'eth_syncing', params: [] })
    return { ok: syncing === false, found: syncing === false ? 'yes' : 'it is still synchronising' }
  },
  async 'several calls in one request'({ send, requests }) {
    const before = requests()
    await Promise.all(Array.from({ length: CALLS_AT_ONCE }, () => send({ method: 'eth_blockNumber', params: [] })))
    const needed = requests() - before
    if (needed > CALLS_AT_ONCE) return { ok: true, found: 'none: each call travels alone (RPC_MAX_BATCH=1)' }
    return {
      ok: true,
      found: needed === 1 ? `${CALLS_AT_ONCE} and more` : `fewer than ${CALLS_AT_ONCE}: found out by the service`,
    }
  },
  async 'states named by block hash (EIP-1898)'({ send, head }) {
    await balanceAt(send, { blockHash: head.hash, requireCanonical: true })
    const isBlind = await hasAnswer(balanceAt(send, { blockHash: NO_BLOCK, requireCanonical: true }))
    return { ok: !isBlind, found: isBlind ? 'it answers for a block that does not exist' : 'yes' }
  },
  async 'states kept'({ send, head, settings: { statesKept, depth } }) {
    const isKept = (below: number) => hasAnswer(balanceAt(send, numberOf(head, below)))
    // No state is asked for that is deeper.
    const asked = Math.min(depth, statesKept)
    const ok = await isKept(asked)
    const isArchive = await isKept(Number(head.number) - 1)
    const least =
      asked < statesKept ? `${asked} blocks (CONFIRMATIONS_LARGE)` : `${statesKept} blocks (RPC_STATES_KEPT)`
    const deep = depth > statesKept ? `; CONFIRMATIONS_LARGE is ${depth}, so states are asked for at ${statesKept}` : ''
    return { ok, found: `${isArchive ? 'all: an archive' : ok ? `at least ${least}` : `not ${least}`}${deep}` }
  },
  async 'logs by block hash'({ send, head }) {
    await send({ method: 'eth_getLogs', params: [{ blockHash: head.hash }] })
    return { ok: true, found: 'yes' }
  },
  async 'logs of a range'({ send, head }) {
    const filter = { address: ANY_ACCOUNT, fromBlock: numberOf(head, 15), toBlock: numberOf(head, 0) }
    await send({ method: 'eth_getLogs', params: [filter] })
    return { ok: true, found: 'yes' }
  },
  async 'bloom filters'({ send, head }) {
    const filter = { fromBlock: numberOf(head, SEARCHED_BLOCKS), toBlock: numberOf(head, 0) }
    const [log] = (await send({ method: 'eth_getLogs', params: [filter] })) as RpcLog[]
    if (log === undefined) return { ok: true, found: `no logs in ${SEARCHED_BLOCKS} blocks to judge them by` }
    const block = (await send({ method: 'eth_getBlockByHash', params: [log.blockHash, false] })) as RpcBlock | null
    const isEmpty = block === null || /^0x0*$/.test(block.logsBloom ?? '0x')
    return { ok: !isEmpty, found: isEmpty ? 'empty: logs that a node leaves out are not noticed' : 'filled' }
  },
  async 'gas price'({ send, head }) {
    const price = BigInt((await send({ method: 'eth_gasPrice', params: [] })) as Hex)
    const kind = head.baseFeePerGas === undefined || head.baseFeePerGas === null ? 'without' : 'with'
    return { ok: true, found: `${price} base units, blocks ${kind} a base fee` }
  },
  async 'transactions and receipts'({ send, head }) {
    for (let below = 0; below <= SEARCHED_BLOCKS; below++) {
      const call = { method: 'eth_getBlockByNumber', params: [numberOf(head, below), true] }
      const block = (await send(call)) as RpcBlock<'latest', true> | null
      const [sent] = block?.transactions ?? []
      if (sent === undefined) continue
      const receipt = await send({ method: 'eth_getTransactionReceipt', params: [sent.hash] })
      return { ok: receipt !== null, found: receipt === null ? 'no receipt of a mined transaction' : 'yes' }
    }
    return { ok: true, found: `no transaction in ${SEARCHED_BLOCKS} blocks to judge them by` }
  },
}
