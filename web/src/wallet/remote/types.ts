import type { WalletConnectConfig } from '@candela/protocol/chain/network'

/** Id of a wallet on another device, or in another app of this one, which is reached by WalletConnect. */
export const REMOTE_ID = 'walletConnect'

export type RemoteSettings = WalletConnectConfig & {
  /** Where the chain is read: such wallets answer no questions about it. */
  rpcUrls: readonly string[]
  /** Where this app is, which the wallet shows. */
  origin: string
}

/** `href` begins the links of the app, such as `metamask://`. */
export type WalletApp = { name: string; href: string }

/** A connection that waits for a wallet. */
export type Pairing = {
  /** The text that the wallet is given, as a QR code or by a link. Holds the key of the connection. */
  uri: string
  /**
   * Names the app that the person opens with it: each request opens that one from then on. Null where it is not known; then requests
   * wait until the person opens the wallet.
   */
  opens(app: WalletApp | null): void
  /** The person wants none any longer. */
  cancel(): void
}

/** The rest of the app does this for wallets on other devices. */
export type RemoteWallets = {
  /** Null where the operator offers no such wallets, or nobody can be asked now. */
  settings(): Promise<RemoteSettings | null>
  /** Shows what the wallet has to be given, until the function that it returns is called. */
  showPairing(pairing: Pairing): () => void
  /** On a phone the one wallet that a page finds is the one whose browser shows it. */
  isPhone(): boolean
}
