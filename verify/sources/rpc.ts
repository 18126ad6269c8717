import type { Hex } from 'viem'
import { Unreachable } from './unreachable.ts'

/** A node's JSON-RPC, as far as it is needed. */
export type Rpc = {
  call: (method: string, params: readonly unknown[]) => Promise<unknown>
  /** True where saved answers are all there is. */
  isSaved?: boolean
}

const ATTEMPTS = 5
const PATIENCE_MS = 60_000

/** The node itself refused, and would do so again. */
export class RpcRefused extends Error {
  override readonly name = 'RpcRefused'
}

/** @param url of an HTTP endpoint */
export function openRpc(url: string, pause_ms = 500): Rpc {
  let id = 0
  const once = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    id += 1
    const asked = id
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: asked, method, params }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    const body = (await answer.json()) as { id?: unknown; result?: unknown; error?: { message?: string } | null }
    if (body.error !== undefined && body.error !== null)
      throw new RpcRefused(`${method}: ${body.error.message ?? 'refused'}`)
    if (body.id !== asked || body.result === undefined) throw new Error(`${method}: the node gave no answer to it`)
    return body.result
  }
  return {
    async call(method, params) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await once(method, params)
        } catch (error) {
          if (error instanceof RpcRefused) throw error
          if (attempt === ATTEMPTS) throw new Unreachable(`the node gives no answer to ${method}: ${String(error)}`)
          await new Promise((resolve) => setTimeout(resolve, pause_ms * 2 ** attempt))
        }
      }
    },
  }
}

export const hex = (value: number): Hex => `0x${value.toString(16)}`

export type Block = { number: number; hash: string; timestamp: number }

/** @param at a number, or `latest` @throws when the node does not have it */
export async function readBlock(rpc: Rpc, at: number | 'latest'): Promise<Block> {
  const found = (await rpc.call('eth_getBlockByNumber', [at === 'latest' ? at : hex(at), false])) as {
    number: Hex
    hash: string
    timestamp: Hex
  } | null
  if (found === null) throw new Error(`the node has no block ${at}`)
  return { number: Number(found.number), hash: found.hash.toLowerCase(), timestamp: Number(found.timestamp) }
}

/** The number of the first block at or after an instant, in Unix seconds; one after `head` when there is none. */
export async function firstBlockAt(rpc: Rpc, time_s: number, head: Block): Promise<number> {
  let [low, high] = [0, head.number + 1]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if ((await readBlock(rpc, middle)).timestamp >= time_s) high = middle
    else low = middle + 1
  }
  return low
}

export type Log = {
  address: string
  topics: Hex[]
  data: Hex
  blockNumber: number
  blockHash: string
  txHash: string
  logIndex: number
}

export type LogFilter = { address: string | readonly string[]; topics: readonly (string | null)[] }

/** Logs of a range of blocks, both ends included; halves the range where the node refuses its size. */
export async function readLogs(rpc: Rpc, filter: LogFilter, from: number, to: number): Promise<Log[]> {
  try {
    const found = (await rpc.call('eth_getLogs', [{ ...filter, fromBlock: hex(from), toBlock: hex(to) }])) as RawLog[]
    return found.map(toLog)
  } catch (error) {
    if (!(error instanceof RpcRefused) || from === to) throw error
    const middle = Math.floor((from + to) / 2)
    return [...(await readLogs(rpc, filter, from, middle)), ...(await readLogs(rpc, filter, middle + 1, to))]
  }
}

type RawLog = {
  address: string
  topics: Hex[]
  data: Hex
  blockNumber: Hex
  blockHash: string
  transactionHash: string
  logIndex: Hex
}

const toLog = (log: RawLog): Log => ({
  address: log.address.toLowerCase(),
  topics: log.topics,
  data: log.data,
  blockNumber: Number(log.blockNumber),
  blockHash: log.blockHash.toLowerCase(),
  txHash: log.transactionHash.toLowerCase(),
  logIndex: Number(log.logIndex),
})
