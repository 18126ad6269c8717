import { CHAIN_ID } from '@candela/protocol/chain/network'
import type { WagmiConfig } from './config.ts'
import { WalletError } from './errors.ts'
import { sendAndFollow } from './send.ts'
import type { RechargeTransaction, SendEvents, SendOutcome } from './types.ts'

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
