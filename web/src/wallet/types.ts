import type { RechargeTransaction } from '@candela/protocol/endpoints/payment'
import type { NetworkConfig } from '@candela/protocol/chain/network'
import type { TransferTypedData } from '@candela/protocol/chain/typed-data'

/**
 * What the rest of the app knows about wallets. `wallet.ts` beside this file implements `WalletModule` and is small
 * enough for the first load; everything that needs viem or wagmi stays behind a dynamic import inside this folder.
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

/** Asks the person which wallet to use; null when they close the sheet. */
export type ChooseWallet = (options: readonly WalletOption[]) => Promise<string | null>

/** `still-checking` when no receipt came in time: the transaction may yet be mined. */
export type SendOutcome = 'confirmed' | 'still-checking'

/** `sent` is called with the hash as soon as the wallet gave it, and again when the person has sped it up. */
export type SendEvents = { sent(hash: `0x${string}`): void }

/** What `spender` may take of a token from `owner`: `amount` in base units. */
export type Approval = {
  owner: `0x${string}`
  token: `0x${string}`
  spender: `0x${string}`
  amount: bigint
}

export type WalletModule = {
  /** Called once, before anything else: hands over the chooser sheet. */
  setChooser(choose: ChooseWallet): void
  walletStore: { get(): WalletState; subscribe(listener: () => void): () => void }
  /** Asks for a wallet and an account. Throws `WalletError` (see `errors.ts`) `not-installed`, `refused` (also a closed chooser) or `failed`. */
  connectWallet(): Promise<WalletState>
  /** Takes up a wallet used before without asking anything; null when there is none. */
  reconnectWallet(): Promise<WalletState | null>
  signMessage(text: string): Promise<`0x${string}`>
  /** Signs the terms of a transfer, which the wallet shows. Throws `refused` or `failed`. */
  signTransfer(data: TransferTypedData): Promise<`0x${string}`>
  /** Adds the network where the wallet does not know it, then switches. */
  switchNetwork(network: NetworkConfig): Promise<void>
  /** Sends the payment and waits for its receipt. Throws `refused`, `cancelled` or `reverted`. */
  sendRecharge(transaction: RechargeTransaction, on: SendEvents): Promise<SendOutcome>
  /** Sets an allowance and waits for its receipt. Throws as `sendRecharge`. */
  sendApproval(approval: Approval, on: SendEvents): Promise<SendOutcome>
  /** What an address holds, in base units; of the chain's own currency where `token` is null. Throws `failed`. */
  readBalance(token: `0x${string}` | null, owner: `0x${string}`): Promise<bigint>
  /** What a contract may take of a token from an address, in base units. Throws `failed`. */
  readAllowance(token: `0x${string}`, owner: `0x${string}`, spender: `0x${string}`): Promise<bigint>
  /** Wallet events, forwarded; each returns how to stop listening. A lock is no change of account; another account is. */
  onAccountChange(listener: (address: `0x${string}`) => void): () => void
  onChainChange(listener: (chainId: number) => void): () => void
}

export type { RechargeTransaction } from '@candela/protocol/endpoints/payment'
export type { WalletErrorKind } from './errors.ts'
