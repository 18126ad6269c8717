/** What went wrong with a wallet, by the kinds that screens distinguish. */
export type WalletErrorKind =
  | 'not-installed'
  /** The person closed the list of wallets: nothing was asked of any of them. */
  | 'not-chosen'
  /** The person said no in the wallet. */
  | 'refused'
  /** A transaction was sent, and the person has replaced it by one that does nothing. */
  | 'cancelled'
  | 'wrong-chain'
  /** The wallet is on another account, or does not open this one to the page: locked, or not permitted. */
  | 'wrong-account'
  /** Less of the chain's own currency than amount and network fee. */
  | 'no-gas'
  /** An earlier request still waits in the wallet's window. */
  | 'busy'
  /** No answer in time to what opens no window, or to a prompt. */
  | 'silent'
  /** The person has stopped waiting, here and not in the wallet: the prompt may still be answered. */
  | 'given-up'
  /** Refused by the contract before it was sent. */
  | 'would-revert'
  /** Refused by the contract in a block: the network fee is spent. */
  | 'reverted'
  | 'failed'

export class WalletError extends Error {
  override readonly name = 'WalletError'
  readonly kind: WalletErrorKind

  constructor(kind: WalletErrorKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.kind = kind
  }
}
