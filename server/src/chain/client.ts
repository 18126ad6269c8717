import type { NetworkConfig } from '@candela/protocol/chain/network'
import { type Chain, createPublicClient, custom, defineChain, type PublicClient, type Transport } from 'viem'
import { callSender, type NodeLimits, type SendCall } from './node/send-calls.ts'

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
  /** The limits of the node, where the operator knows them. */
  limits?: NodeLimits
  /** Sends a request: the machine's own `fetch`, unless a simulation passes another one. */
  fetchFn?: (url: string, init: RequestInit) => Promise<Response>
}

/**
 * A client of one RPC URL. Nothing is requested before the first call. Answers are matched with calls by their ids, and
 * checked for their form. An answer of a node on another chain is refused with an `RpcError` ('wrongChain').
 */
export const createChainClient = (options: ChainClientOptions): ChainClient =>
  clientOf(options.network, senderOf(options), options.retries ?? 2)

/** Sends calls to one RPC URL. */
export function senderOf(options: ChainClientOptions): SendCall {
  const { rpcUrl: url, timeout_ms = 10_000, limits = {}, fetchFn = fetch, network } = options
  return callSender({ url, chainId: chainOf(network).id, timeout_ms, limits, fetchFn })
}

/** A client whose calls are sent by `request`. */
export function clientOf(network: NetworkConfig, request: SendCall, retryCount: number): ChainClient {
  return createPublicClient({
    chain: chainOf(network),
    // A cached head would hide newer blocks.
    cacheTime: 0,
    // A contract that we ask may name URLs to fetch more from (EIP-3668). Strangers must not choose what we request.
    ccipRead: false,
    transport: custom({ request }, { retryCount }),
  })
}
