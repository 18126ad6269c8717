import { NATIVE_ASSET } from '@candela/protocol/chain/action-data'
import type { RechargeTransaction } from '@candela/protocol/endpoints/payment'
import type { Address } from 'viem'
import { rechargeCall } from '../../chain/recharge-call.ts'
import type { PaymentAsset } from './quote.ts'

/** The contracts that an order's transaction names, in lower case. */
export type PaymentContracts = { gateway: Address; usdt: Address }

/** What pays for one order. */
export type OrderPayment = { orderNo: string; asset: PaymentAsset; payable: bigint; customer: Address }

/** Everything that the wallet needs to pay for an order. */
export const rechargeTransaction = (
  { gateway, usdt }: PaymentContracts,
  { orderNo, asset, payable, customer }: OrderPayment,
): RechargeTransaction =>
  rechargeCall(gateway, {
    key: 'buyPower',
    asset: asset === 'JU' ? NATIVE_ASSET : usdt,
    amount: payable,
    customer,
    reference: orderNo,
  })
