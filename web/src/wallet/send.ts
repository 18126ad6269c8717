import { CHAIN_ID, PLAIN_TRANSFER_GAS } from '@candela/protocol/chain/network'
import { sendTransaction } from '@wagmi/core'
import type { ReplacementReason } from 'viem'
import { waitForTransactionReceipt } from 'viem/actions'
import type { WagmiConfig } from './config.ts'
import { WalletError } from './errors.ts'
import { toWalletError } from './to-wallet-error.ts'
import type { NativeTransfer, RechargeTransaction, SendEvents, SendOutcome } from './types.ts'

type Hex = `0x${string}`

/** What the wallet is asked to send. `gas` is left to the wallet where it is absent. */
export type Wanted = { from: Hex; to: Hex; data: Hex; value: bigint; gas?: bigint }

/** How long a receipt is waited for before the screen is let go; the server goes on watching the chain. */
export const RECEIPT_TIMEOUT_MS = 180_000

/**
 * Has the wallet send a transaction and waits until it is in a block. Once it is sent, only a receipt or a replacement
 * that is in a block can make it fail: what cannot be found out is `still-checking`.
 * @throws WalletError
 */
export async function sendAndFollow(
  config: WagmiConfig,
  wanted: Wanted,
  on: SendEvents,
  timeoutMs: number = RECEIPT_TIMEOUT_MS,
): Promise<SendOutcome> {
  const hash = await send(config, wanted)
  on.sent(hash)
  return await follow(config, hash, on, timeoutMs)
}

async function send(config: WagmiConfig, { from, to, data, value, gas }: Wanted): Promise<Hex> {
  try {
    return await sendTransaction(config, {
      account: from,
      // With the chain's id viem asks the wallet where it is, right before sending.
      chainId: CHAIN_ID,
      to,
      data,
      value,
      ...(gas !== undefined && { gas }),
    })
  } catch (error) {
    throw toWalletError(error, 'sending a transaction')
  }
}

async function follow(config: WagmiConfig, hash: Hex, on: SendEvents, timeoutMs: number): Promise<SendOutcome> {
  let replaced: ReplacementReason | undefined
  const receipt = await waitForTransactionReceipt(config.getClient({ chainId: CHAIN_ID }), {
    hash,
    timeout: timeoutMs,
    onReplaced({ reason, transaction }) {
      replaced = reason
      if (reason === 'repriced') on.sent(transaction.hash)
    },
  }).catch((error: unknown) => {
    // A time-out, a dropped connection, a wallet on another chain: none of them says that the transaction failed.
    // oxlint-disable-next-line no-console -- the only trace of why a screen said "still checking"
    console.warn('Waiting for the receipt ended early', error)
    return null
  })
  if (receipt === null) return 'still-checking'
  // A sped-up transaction is the same transaction; anything else at its nonce means that it can never be mined.
  if (replaced === 'cancelled') throw new WalletError('cancelled', 'The transaction was cancelled in the wallet')
  if (replaced === 'replaced') throw new WalletError('failed', 'Another transaction took its place')
  if (receipt.status === 'reverted') throw new WalletError('reverted', 'The chain reverted the transaction')
  return 'confirmed'
}

/**
 * Has the wallet send a payment as the server prepared it, from the account that it is for, and waits until it is in a
 * block.
 * @throws WalletError
 */
export async function sendRecharge(
  config: WagmiConfig,
  transaction: RechargeTransaction,
  on: SendEvents,
  timeoutMs?: number,
): Promise<SendOutcome> {
  const { chainId, tuple, to, data, value, gas } = transaction
  if (chainId !== CHAIN_ID) throw new WalletError('failed', `The payment is for chain ${chainId}, not ${CHAIN_ID}`)
  const wanted = {
    from: tuple[2] as `0x${string}`,
    to: to as `0x${string}`,
    data: data as `0x${string}`,
    value: BigInt(value),
    gas: BigInt(gas),
  }
  return await sendAndFollow(config, wanted, on, timeoutMs)
}

/** Has the wallet send a plain transfer, and waits until it is in a block. @throws WalletError */
export const sendNative = (
  config: WagmiConfig,
  transfer: NativeTransfer,
  on: SendEvents,
  timeoutMs?: number,
): Promise<SendOutcome> => sendAndFollow(config, { ...transfer, data: '0x', gas: PLAIN_TRANSFER_GAS }, on, timeoutMs)
