import type { ConfirmationRule } from './crediting/confirmations.ts'
import type { NodeAddress } from './nodes/addresses.ts'

/** Settings of the chain: nodes, contracts, and intervals of the loops. */
export type ChainSettings = {
  /** The nodes that the server itself asks, in this order; never shown to clients. */
  nodes: readonly [NodeAddress, ...NodeAddress[]]
  /** The limits of the node; undefined where they are found out. */
  rpcLimits: { batch: number | undefined; perSecond: number | undefined }
  /** Blocks of one range of logs at most. */
  maxRange: number | undefined
  gateway: `0x${string}`
  usdt: `0x${string}`
  hash: `0x${string}`
  wju: `0x${string}`
  /** Uniswap-V2-style pairs with USDT. */
  hashPair: `0x${string}`
  juPair: `0x${string}`
  startBlock: number
  confirmations: ConfirmationRule
  pollInterval_ms: number
  /** Between two observations of the prices, and between two looks at the loans that depend on them. */
  priceInterval_ms: number
  /** Between two comparisons of the books with the chain. */
  reconcileInterval_ms: number
  /** Readiness fails above these. */
  maxHeadAge_s: number
  maxLag_blocks: number
}
