import { NATIVE_ASSET, rechargeDataTypes } from '@candela/protocol/chain/action-data'
import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { decodeAbiParameters, decodeFunctionData, type Hex } from 'viem'

/** The meaning of a transaction's call data, in the terms of the payment contract. */
export type CallDescription = {
  /** Such as "buyPower". */
  action: string
  /** Base units of `asset`. */
  amount: bigint
  /** Null for the native currency. */
  asset: string | null
  customer: string
  reference: string
}

/** Reads `recharge(string,bytes)`; null for anything else, which is then shown as it is. */
export function describeCall(data: Hex | undefined): CallDescription | null {
  if (data === undefined || data === '0x') return null
  try {
    const call = decodeFunctionData({ abi: paymentGatewayAbi, data })
    if (call.functionName !== 'recharge') return null
    const [action, inner] = call.args
    const [amount, asset, customer, reference] = decodeAbiParameters(rechargeDataTypes, inner)
    return { action, amount, asset: asset === NATIVE_ASSET ? null : asset, customer, reference }
  } catch {
    // Not ours to explain: the sheet shows the raw data instead.
    return null
  }
}
