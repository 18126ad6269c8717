import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { NATIVE_ASSET, rechargeDataTypes } from '@candela/protocol/chain/action-data'
import { CHAIN_ID, RECHARGE_GAS } from '@candela/protocol/chain/network'
import { encodeAbiParameters, encodeFunctionData } from 'viem'
import type { WagmiConfig } from './config.ts'
import { WalletError } from './errors.ts'
import { sendAndFollow } from './send.ts'
import type { Recharge, RechargeTransaction, SendEvents, SendOutcome } from './types.ts'

/** `recharge(key, abi.encode(amount, asset, customer, reference))`, as the server prepares it for orders and deposits. */
export function prepareRecharge(payment: Recharge): RechargeTransaction {
  const { gateway, key, asset, amount, customer, reference } = payment
  const parameters = encodeAbiParameters(rechargeDataTypes, [amount, asset, customer, reference])
  return {
    chainId: CHAIN_ID,
    to: gateway,
    abiKey: key,
    tuple: [String(amount), asset, customer, reference],
    data: encodeFunctionData({ abi: paymentGatewayAbi, functionName: 'recharge', args: [key, parameters] }),
    value: asset === NATIVE_ASSET ? String(amount) : '0',
    gas: String(RECHARGE_GAS),
  }
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
