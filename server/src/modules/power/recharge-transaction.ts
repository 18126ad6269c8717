import { type ActionKey, NATIVE_ASSET, rechargeDataTypes } from '@candela/protocol/action-data'
import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import type { Data } from '@candela/protocol/endpoints'
import { CHAIN_ID, RECHARGE_GAS } from '@candela/protocol/network'
import { type Address, encodeAbiParameters, encodeFunctionData } from 'viem'
import type { PaymentAsset } from './quote.ts'

/** The contracts that an order's transaction names, in lower case. */
export type PaymentContracts = { gateway: Address; usdt: Address }

/** What pays for one order. */
export type OrderPayment = { orderNo: string; asset: PaymentAsset; payable: bigint; customer: Address }

const action = 'buyPower' satisfies ActionKey

/**
 * Everything that the wallet needs to pay for an order: `recharge("buyPower", abi.encode(amount, asset, customer,
 * orderNo))`. The native currency travels as value; a token is taken from the payer's allowance.
 */
export function rechargeTransaction(
  { gateway, usdt }: PaymentContracts,
  { orderNo, asset, payable, customer }: OrderPayment,
): Data<'POST power/getOrder'>['transaction'] {
  const paidIn = asset === 'JU' ? NATIVE_ASSET : usdt
  const parameters = encodeAbiParameters(rechargeDataTypes, [payable, paidIn, customer, orderNo])
  return {
    chainId: CHAIN_ID,
    to: gateway,
    abiKey: action,
    tuple: [String(payable), paidIn, customer, orderNo],
    data: encodeFunctionData({ abi: paymentGatewayAbi, functionName: 'recharge', args: [action, parameters] }),
    value: asset === 'JU' ? String(payable) : '0',
    gas: String(RECHARGE_GAS),
  }
}
