import { NATIVE_ASSET } from '@candela/protocol/chain/action-data'
import type { Data } from '@candela/protocol/endpoints'
import type { AssetCode } from '@candela/protocol/money/assets'
import type { Address } from 'viem'
import { rechargeCall } from '../../chain/payment/recharge-call.ts'

/** Lower case. */
export type DepositContracts = { gateway: Address; usdt: Address; hash: Address }

/** `amount` in base units. */
type Announced = { asset: AssetCode; amount: bigint; depositNo: string; customer: Address }

/** Describes what the wallet has to send for an announced deposit, and to approve before it. */
export function whatToSend(
  { gateway, usdt, hash }: DepositContracts,
  { asset, amount, depositNo, customer }: Announced,
): Pick<Data<'POST deposit/getOrder'>, 'transaction' | 'approval'> {
  const address = { JU: NATIVE_ASSET, USDT: usdt, HASH: hash }[asset] as Address
  return {
    transaction: rechargeCall(gateway, { key: 'deposit', asset: address, amount, customer, reference: depositNo }),
    approval: asset === 'JU' ? null : { token: address, spender: gateway, amount: String(amount) },
  }
}
