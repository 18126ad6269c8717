import { type Hex, parseTransaction, recoverTransactionAddress, type TransactionSerializedLegacy } from 'viem'

/**
 * The rules of a JuChain node, as far as its published source and documents say: forks up to Istanbul, 1 gwei of gas price at least,
 * 30 million of gas in a block, transactions of the first kind only, limits on queries for logs, no debugging methods, and a list of
 * addresses from which and to which nothing is sent.
 */
export const JUCHAIN = { hardfork: 'istanbul', gasLimit: 30_000_000, minGasPrice: 1_000_000_000n } as const

/** Methods of which some calls are refused. */
export const mayRefuse = (method: string): boolean =>
  method === 'eth_getLogs' || method === 'eth_sendRawTransaction' || MISSING.test(method)

const MISSING = /^(?:debug|trace|txpool|parity|erigon|ots)_/
const LOG_QUERIES = 200
const LOG_WINDOW_MS = 10_000
/** Blocks of one query. The chain's operators set it; which number is not published. */
const LOG_RANGE = 1_000

export type RpcCall = { method: string; params?: unknown }
export type Refusal = { code: number; message: string }

/** The refusals of the node. `blocked` gives the addresses of the list, lower case. */
export function juchainRules(blocked: () => ReadonlySet<string>, now_ms: () => number = () => performance.now()) {
  let queries: number[] = []
  /** The error of a call; null for one that the node answers. */
  return async ({ method, params }: RpcCall): Promise<Refusal | null> => {
    const [first] = Array.isArray(params) ? (params as unknown[]) : []
    if (MISSING.test(method)) {
      return { code: -32_601, message: `the method ${method} does not exist/is not available` }
    }
    if (method === 'eth_getLogs') {
      queries = queries.filter((at) => at > now_ms() - LOG_WINDOW_MS)
      if (queries.length >= LOG_QUERIES) return { code: -32_005, message: 'rate limit exceeded' }
      queries.push(now_ms())
      return refusedRange(first)
    }
    return method === 'eth_sendRawTransaction' ? refusedTransaction(first as Hex, blocked()) : null
  }
}

function refusedRange(filter: unknown): Refusal | null {
  const { fromBlock, toBlock } = (filter ?? {}) as { fromBlock?: unknown; toBlock?: unknown }
  const span = Number(toBlock) - Number(fromBlock)
  return span > LOG_RANGE ? { code: -32_000, message: `block range too large, max is ${LOG_RANGE}` } : null
}

async function refusedTransaction(raw: Hex, blocked: ReadonlySet<string>): Promise<Refusal | null> {
  const { type, to, gasPrice = 0n } = parseTransaction(raw)
  if (type !== 'legacy') return { code: -32_000, message: 'transaction type not supported' }
  const from = await recoverTransactionAddress({ serializedTransaction: raw as TransactionSerializedLegacy })
  if ([from, to ?? ''].some((address) => blocked.has(address.toLowerCase()))) {
    return { code: -32_000, message: 'sender or receiver of the transaction is in blacklist' }
  }
  const minGasPrice = JUCHAIN.minGasPrice
  if (gasPrice >= minGasPrice) return null
  return { code: -32_000, message: `transaction underpriced: gas tip cap ${gasPrice}, minimum needed ${minGasPrice}` }
}
