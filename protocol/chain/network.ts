/** Chain 210000 (EIP-155 id, decimal), the only one that the product runs on. */
export const CHAIN_ID = 210_000

/** The same id as wallets take it (EIP-695, EIP-3085): 0x33450. */
export const CHAIN_ID_HEX = `0x${CHAIN_ID.toString(16)}` as const

/** Gas limits of the specification, in gas units. */
export const RECHARGE_GAS = 1_000_000n
export const PLAIN_TRANSFER_GAS = 2_000_000n

/** Facts that a wallet needs to add and switch to the chain (EIP-3085). */
export type NetworkConfig = {
  /** Hex, lower case, such as "0x33450". */
  chainId: string
  chainName: string
  nativeCurrency: { name: string; symbol: string; decimals: number }
  rpcUrls: string[]
  blockExplorerUrls: string[]
}

/** Facts that an app needs to reach wallets on other devices by WalletConnect. */
export type WalletConnectConfig = {
  /** Id of the operator's project at the relay's maker. Not secret. */
  projectId: string
  /** The relay between app and wallet, which passes on what it cannot read. */
  relayUrl: string
}

/** Explorer links as EIP-3091 has them; null when the network has no explorer (a development chain). */
export const transactionUrl = (network: NetworkConfig, hash: string): string | null =>
  explorerUrl(network, `tx/${hash}`)

export const addressUrl = (network: NetworkConfig, address: string): string | null =>
  explorerUrl(network, `address/${address}`)

function explorerUrl(network: NetworkConfig, path: string): string | null {
  const [base] = network.blockExplorerUrls
  return base === undefined ? null : `${base}${base.endsWith('/') ? '' : '/'}${path}`
}
