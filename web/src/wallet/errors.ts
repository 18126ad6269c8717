/** The problems with a wallet, by the kinds that screens distinguish. */
export type WalletErrorKind =
  | 'not-installed'
  /** The person closed the list of wallets: nothing was asked of any of them. */
  | 'not-chosen'
  /** The person said no in the wallet. */
  | 'refused'
  /** Ended by the wallet with an error that says nothing, as when its window is closed. */
  | 'dismissed'
  /** The wallet opens no account to this page: it is locked, or has none. */
  | 'no-account'
  /** A transaction was sent, and the person has replaced it by one that does nothing. */
  | 'cancelled'
  | 'wrong-chain'
  /** The wallet went to another chain while it was asked for a payment. */
  | 'left-chain'
  /** The wallet is on another account, or does not open this one to the page: locked, or not permitted. */
  | 'wrong-account'
  /** Less of the chain's own currency than amount and network fee. */
  | 'no-gas'
  /** Less of the token than the amount. */
  | 'no-token'
  /** The contract may take less of the token than the amount. */
  | 'no-allowance'
  /** An earlier request still waits in the wallet's window. */
  | 'busy'
  /** The network lets nothing through to wallets on other devices. */
  | 'no-relay'
  /** No answer in time to what opens no window, or to a prompt. */
  | 'silent'
  /** The person has stopped waiting, here and not in the wallet: the prompt may still be answered. */
  | 'given-up'
  /** The extension was updated or has stopped since the page was loaded. */
  | 'gone'
  /** An error after a transaction was asked for: nobody but the chain knows whether it was sent. */
  | 'unknown'
  /** The service names another chain, contract, token or amount than the page shows. */
  | 'altered'
  /** Refused by the contract before it was sent. */
  | 'would-revert'
  /** Refused by the contract in a block: the network fee is spent. */
  | 'reverted'
  | 'failed'

export class WalletError extends Error {
  override readonly name = 'WalletError'
  readonly kind: WalletErrorKind
  /** The wallet's own words, as one short line; null where it has said nothing that a person can use. */
  readonly said: string | null

  constructor(kind: WalletErrorKind, message: string, cause?: unknown, said: string | null = null) {
    super(message, cause === undefined ? undefined : { cause })
    this.kind = kind
    this.said = said
  }
}
