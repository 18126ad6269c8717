import { CHAIN_ID } from '@candela/protocol/network'
import { sendTransaction } from '@wagmi/core'
import type { ReplacementReason } from 'viem'
import { waitForTransactionReceipt } from 'viem/actions'
import type { WagmiConfig } from './config.ts'
import { toWalletError, WalletError } from './errors.ts'
import type { RechargeTransaction } from './types.ts'

/** How long a receipt is waited for before the screen is let go; the server goes on watching the chain. */
export const RECEIPT_TIMEOUT_MS = 180_000

/**
 * Has the wallet send a payment as the server prepared it, from the account that it is for, and waits until it is in a
 * block. Once it is sent, only a receipt or a replacement that is in a block can make it fail: what cannot be found
 * out is `still-checking`.
 * @throws WalletError
 */
export async function sendRecharge(
  config: WagmiConfig,
  transaction: RechargeTransaction,
  on: { sent(hash: `0x${string}`): void },
  timeoutMs: number = RECEIPT_TIMEOUT_MS,
): Promise<'confirmed' | 'still-checking'> {
  const hash = await send(config, transaction)
  on.sent(hash)
  return await follow(config, hash, timeoutMs)
}

async function send(config: WagmiConfig, transaction: RechargeTransaction): Promise<`0x${string}`> {
  if (transaction.chainId !== CHAIN_ID)
    throw new WalletError('failed', `The payment is for chain ${transaction.chainId}, not ${CHAIN_ID}`)
  try {
    return await sendTransaction(config, {
      account: transaction.tuple[2] as `0x${string}`,
      // With the chain's id viem asks the wallet where it is, right before sending.
      chainId: CHAIN_ID,
      to: transaction.to as `0x${string}`,
      data: transaction.data as `0x${string}`,
      value: BigInt(transaction.value),
      gas: BigInt(transaction.gas),
    })
  } catch (error) {
    throw toWalletError(error, 'sending the payment')
  }
}

async function follow(
  config: WagmiConfig,
  hash: `0x${string}`,
  timeoutMs: number,
): Promise<'confirmed' | 'still-checking'> {
  let replaced: ReplacementReason | undefined
  const receipt = await waitForTransactionReceipt(config.getClient({ chainId: CHAIN_ID }), {
    hash,
    timeout: timeoutMs,
    onReplaced: ({ reason }) => (replaced = reason),
  }).catch((error: unknown) => {
    // A time-out, a dropped connection, a wallet on another chain: none of them says that the payment failed.
    // oxlint-disable-next-line no-console -- the only trace of why a screen said "still checking"
    console.warn('Waiting for the receipt ended early', error)
    return null
  })
  if (receipt === null) return 'still-checking'
  // A sped-up payment is the same payment; anything else at its nonce means that it can never be mined.
  if (replaced === 'cancelled') throw new WalletError('refused', 'The payment was cancelled in the wallet')
  if (replaced === 'replaced') throw new WalletError('failed', 'Another transaction took the place of the payment')
  if (receipt.status === 'reverted') throw new WalletError('reverted', 'The chain reverted the payment')
  return 'confirmed'
}
