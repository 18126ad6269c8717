import type { RechargeTransaction } from '@candela/protocol/endpoints/payment'
import type { AssetCode } from '@candela/protocol/money/assets'
import type { NetworkConfig } from '@candela/protocol/chain/network'
import type { TransferTypedData } from '@candela/protocol/chain/typed-data'
import type { RemoteWallets } from './remote/types.ts'

/**
 * The facts that the rest of the app knows about wallets. `wallet.ts` beside this file implements `WalletModule` and is small enough
 * for the first load; everything that needs viem or wagmi stays behind a dynamic import inside this folder.
 */

export type WalletState = {
  /** `none`: no wallet in this browser. `idle`: there may be one, nothing asked yet. */
  status: 'none' | 'idle' | 'connecting' | 'connected'
  address: `0x${string}` | null
  /** Decimal chain id of the wallet, null while unknown. */
  chainId: number | null
  walletName: string | null
}

/** One announced wallet (EIP-6963), as the chooser shows it. `icon` is the announced data URI. */
export type WalletOption = { id: string; name: string; icon: string }

/** The purpose of a connection: the person came in by a tap on sign-in, or wants something of the account that is signed in. */
export type ConnectPurpose = 'sign-in' | 'act'

/** Asks the person which wallet to use; null when they close the sheet. */
export type ChooseWallet = (options: readonly WalletOption[], purpose: ConnectPurpose) => Promise<string | null>

/** `signal`: the person no longer waits for the wallet. What it has been asked for already it may still do. */
export type Waiting = { signal?: AbortSignal | undefined }

/** `still-checking` when no receipt came in time: the transaction may yet be mined. */
export type SendOutcome = 'confirmed' | 'still-checking'

export type SendEvents = {
  /** Right before the wallet is asked: how many transactions the account has sent by then, null while unknown. */
  asked?(nonce: number | null): void
  /** The token's contract wants the old allowance taken back before it takes the new one: the wallet is asked twice. */
  takingBack?(): void
  /** With the hash as soon as the wallet gave it, or null where it gave none; again when the person has sped it up. */
  sent(hash: `0x${string}` | null): void
}

/** A payment as the person was shown it: `amount` in base units, `reference` of the order, deposit or loan. */
export type Recharge = {
  abiKey: RechargeTransaction['abiKey']
  asset: AssetCode
  amount: bigint
  customer: `0x${string}`
  reference: string
}

/** How many transactions an account has sent: in blocks, and with those that wait for one. Null while unknown. */
export type SentCounts = { latest: number | null; pending: number | null }

/** The right of `spender` to take a token from `owner`: `amount` in base units, of which `needed` are enough. */
export type Approval = {
  owner: `0x${string}`
  token: `0x${string}`
  spender: `0x${string}`
  amount: bigint
  needed?: bigint
}

/** The chain's own currency, without call data; `value` in base units. */
export type NativeTransfer = { from: `0x${string}`; to: `0x${string}`; value: bigint }

export type Call = { from: `0x${string}`; to: `0x${string}`; data: `0x${string}` }

/** Where it says so, a call throws `WalletError`; its kinds are in `errors.ts`. All that open the wallet's window end with `given-up` at the signal. */
export type WalletModule = {
  /** Called once, before anything else: hands over the chooser sheet. */
  setChooser(choose: ChooseWallet): void
  /** Called once, before anything else: hands over what wallets on other devices need. */
  setRemote(remote: RemoteWallets): void
  walletStore: { get(): WalletState; subscribe(listener: () => void): () => void }
  /** Asks for a wallet and an account. Throws `not-installed`, `not-chosen`, `refused`, `busy` or `failed`. */
  connectWallet(on?: Waiting): Promise<WalletState>
  /** Lets go of the wallet and forgets it. Ends the connection to one on another device, here and there. */
  forgetWallet(): Promise<void>
  /** Takes up a wallet used before without asking anything; null when there is none, or none that answers. */
  reconnectWallet(): Promise<WalletState | null>
  /**
   * The wallet as it is now, asked and not remembered, for what is done with the account that is signed in. Connects the wallet used before
   * where it is locked or has gone, without asking which. Throws as `connectWallet`, and `silent`.
   */
  currentWallet(on?: Waiting): Promise<WalletState>
  /** Asks the connected wallet, which may not tell of changes, for its account and chain; does nothing without one. */
  checkWallet(): Promise<void>
  /** The chain that the wallet is on now. Throws `not-installed`, `silent` or `failed`. */
  readChainId(): Promise<number>
  signMessage(text: string, on?: Waiting): Promise<`0x${string}`>
  /** Signs the terms of a transfer, which the wallet shows. */
  signTransfer(data: TransferTypedData, on?: Waiting): Promise<`0x${string}`>
  /** Adds the network where the wallet does not know it, then switches. Asks nothing where it is there already. */
  switchNetwork(network: NetworkConfig, on?: Waiting): Promise<void>
  /**
   * Sends the payment and waits for its receipt. Throws also `cancelled` and `reverted`, `altered` before anything was asked, and
   * `unknown`, `gone` and `left-chain` where it may have been sent all the same. `sent` is called after `given-up` too.
   */
  sendRecharge(
    payment: { terms: Recharge; prepared: RechargeTransaction },
    on: SendEvents & Waiting,
  ): Promise<SendOutcome>
  /** Sends a plain transfer and waits for its receipt. Throws as `sendRecharge`. */
  sendNative(transfer: NativeTransfer, on: SendEvents & Waiting): Promise<SendOutcome>
  /** Sets an allowance and waits until it is so on chain. Throws as `sendRecharge`, and `no-allowance` when less was allowed. */
  sendApproval(approval: Approval, on: SendEvents & Waiting): Promise<SendOutcome>
  /** Has a call to any contract sent, which the person has agreed to. Resolves to its hash, before it is in a block. */
  sendCall(call: Call): Promise<`0x${string}`>
  /** Asks the chain through the wallet. Throws what the wallet or the node answers. */
  ask(method: string, params: readonly unknown[]): Promise<unknown>
  /** Reads what an address holds, in base units; of the chain's own currency where `token` is null. */
  readBalance(token: `0x${string}` | null, owner: `0x${string}`): Promise<bigint>
  readSentCounts(account: `0x${string}`): Promise<SentCounts>
  /** Reads what a contract may take of a token from an address, in base units. */
  readAllowance(token: `0x${string}`, owner: `0x${string}`, spender: `0x${string}`): Promise<bigint>
  /** Wallet events, forwarded; each returns how to stop listening. A lock is no change of account; another account is. */
  onAccountChange(listener: (address: `0x${string}`) => void): () => void
  onChainChange(listener: (chainId: number) => void): () => void
  /** The wallet in use was locked, or has withdrawn its permission. */
  onLock(listener: () => void): () => void
}

export type { RechargeTransaction } from '@candela/protocol/endpoints/payment'
