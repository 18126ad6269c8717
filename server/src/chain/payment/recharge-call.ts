import { type ActionKey, NATIVE_ASSET, rechargeDataTypes } from '@candela/protocol/chain/action-data'
import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import type { Data } from '@candela/protocol/endpoints'
import { CHAIN_ID, RECHARGE_GAS } from '@candela/protocol/chain/network'
import { type Address, encodeAbiParameters, encodeFunctionData } from 'viem'

/** The terms of a payment: what is paid, for whom, and what it refers to. Amount in base units. */
export type Recharge = {
  key: Exclude<ActionKey, 'native' | 'revenue'>
  asset: Address
  amount: bigint
  customer: Address
  reference: string
}

/**
 * Everything that the wallet needs for `recharge(key, abi.encode(amount, asset, customer, reference))`. The native
 * currency travels as value; a token is taken from the payer's allowance.
 */
export function rechargeCall(gateway: Address, payment: Recharge): Data<'POST deposit/getOrder'>['transaction'] {
  const { key, asset, amount, customer, reference } = payment
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
