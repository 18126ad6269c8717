import type { NetworkConfig } from '@candela/protocol/chain/network'
import {
  BaseError,
  type Chain,
  createPublicClient,
  custom,
  defineChain,
  HttpRequestError,
  http,
  type PublicClient,
  ResourceNotFoundRpcError,
  RpcRequestError,
  TimeoutError,
  type Transport,
} from 'viem'

export type ChainClient = PublicClient<Transport, Chain>

/** The chain as viem describes one. @throws RangeError when the id is not hexadecimal */
export function chainOf(network: NetworkConfig): Chain {
  if (!/^0x[0-9a-f]+$/.test(network.chainId)) throw new RangeError(`not a hexadecimal chain id: "${network.chainId}"`)
  const [explorer] = network.blockExplorerUrls
  return defineChain({
    id: Number(network.chainId),
    name: network.chainName,
    nativeCurrency: network.nativeCurrency,
    rpcUrls: { default: { http: network.rpcUrls } },
    ...(explorer === undefined
      ? {}
      : { blockExplorers: { default: { name: new URL(explorer).hostname, url: explorer } } }),
  })
}

export type ChainClientOptions = {
  network: NetworkConfig
  /** The node that this server asks. It may hold a provider's key and is never shown. */
  rpcUrl: string
  /** A request that takes longer fails. */
  timeout_ms?: number
  /** Times that viem repeats a failed request. The follower wants 0, because it backs off by itself. */
  retries?: number
  /** What sends a request: the machine's own `fetch`, unless a simulation passes another one. */
  fetchFn?: (url: string | URL | Request, init?: RequestInit) => Promise<Response>
}

/** Requests of one tick travel together, up to this many. */
const BATCH_SIZE = 100

/**
 * A client of one RPC URL. Nothing is requested before the first call. The node's chain id is asked for together with
 * each request; an answer of a node on another chain is refused with an `RpcError` ('wrongChain').
 */
export function createChainClient(options: ChainClientOptions): ChainClient {
  const { timeout_ms = 10_000, retries = 2 } = options
  const chain = chainOf(options.network)
  const node = http(options.rpcUrl, {
    // A redirect would choose another node than the configured one.
    fetchOptions: { redirect: 'error' },
    batch: { batchSize: BATCH_SIZE, wait: 0 },
    ...(options.fetchFn === undefined ? {} : { fetchFn: options.fetchFn }),
  })({ chain, retryCount: 0, timeout: timeout_ms })
  return createPublicClient({
    chain,
    // A cached head would hide newer blocks.
    cacheTime: 0,
    // A contract that we ask may name URLs to fetch more from (EIP-3668). Strangers must not choose what we request.
    ccipRead: false,
    transport: custom({ request: onChain(node.request as SendRequest, chain.id) }, { retryCount: retries }),
  })
}

type SendRequest = (call: { method: string; params?: unknown }) => Promise<unknown>

/**
 * Asks for the chain id beside each request. Several nodes may answer behind one URL, so the chain id of one answer
 * proves nothing about the next. Requests of the same microtask share one such question, and every batch has at least
 * one.
 */
function onChain(request: SendRequest, expected: number): SendRequest {
  let shared: { check: Promise<void>; requests: number } | null = null
  const check = async () => {
    const found = Number(await request({ method: 'eth_chainId' }))
    if (found !== expected) throw new RpcError('wrongChain', `the node is on chain ${found}, not ${expected}`)
  }
  return async (call) => {
    if (shared === null || shared.requests >= BATCH_SIZE / 2) shared = { check: check(), requests: 0 }
    shared.requests += 1
    queueMicrotask(() => (shared = null))
    const [answer] = await Promise.all([request(call), shared.check])
    return answer
  }
}

/** Why an answer did not come, or came and cannot be used. */
export type RpcFailure = 'unreachable' | 'timeout' | 'refused' | 'badAnswer' | 'wrongChain'

/**
 * The node did not do its part. `unreachable`: no connection or an HTTP error; `timeout`; `refused`: a JSON-RPC error
 * (a range that is too wide, a block it does not have); `badAnswer`: an answer that contradicts itself or another;
 * `wrongChain`: the node that answered follows another chain.
 * The message never holds the URL.
 */
export class RpcError extends Error {
  override readonly name = 'RpcError'
  readonly failure: RpcFailure
  /** The JSON-RPC code of a refusal. */
  readonly code: number | null

  constructor(failure: RpcFailure, message: string, options?: ErrorOptions & { code?: number }) {
    super(message, options)
    this.failure = failure
    this.code = options?.code ?? null
  }
}

/** Runs a request and turns viem's failures into an `RpcError` that names what was asked. */
export async function ask<T>(what: string, request: () => Promise<T>): Promise<T> {
  try {
    return await request()
  } catch (error) {
    throw rpcError(what, error)
  }
}

function rpcError(what: string, error: unknown): unknown {
  if (error instanceof RpcError) return error
  const cause = rootCause(error)
  if (cause instanceof RpcError) return new RpcError(cause.failure, `${what}: ${cause.message}`)
  // Only the short parts: viem's full message holds the URL, which may hold a key.
  if (cause instanceof TimeoutError) return new RpcError('timeout', `${what}: no answer in time`)
  if (cause instanceof RpcRequestError || cause instanceof ResourceNotFoundRpcError) {
    return new RpcError('refused', `${what}: ${cause.details}`, { code: cause.code })
  }
  if (cause instanceof HttpRequestError) {
    return new RpcError(
      'unreachable',
      `${what}: ${cause.status === undefined ? 'no connection' : `HTTP ${cause.status}`}`,
    )
  }
  return error
}

const transportErrors = [RpcError, TimeoutError, RpcRequestError, HttpRequestError, ResourceNotFoundRpcError]

/** viem wraps what the transport threw in errors that say what was being done. */
const rootCause = (error: unknown): unknown =>
  error instanceof BaseError
    ? (error.walk((cause) => transportErrors.some((kind) => cause instanceof kind)) ?? error)
    : error
