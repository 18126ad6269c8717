/**
 * The agreement on what travels in `recharge(abiKey, data)` and comes back in `TransactionDetails`. The event has no
 * field for the action key, so the contract writes it before a colon in the remark.
 */

/** Keys that the payment contract takes; plain native receipts come back under "native". */
export const actionKeys = ['buyPower', 'deposit', 'revenue', 'repay', 'native'] as const

export type ActionKey = (typeof actionKeys)[number]

/** ABI types of `data`, for every key: amount in base units, asset or zero address, customer, reference. */
export const rechargeDataTypes = [
  { name: 'amount', type: 'uint256' },
  { name: 'asset', type: 'address' },
  { name: 'customer', type: 'address' },
  { name: 'reference', type: 'string' },
] as const

/** Stands for the native currency where the contract wants an asset. */
export const NATIVE_ASSET = '0x0000000000000000000000000000000000000000'

/** Splits a remark at its first colon; null when the contract cannot have written it. */
export function parseRemark(remark: string): { key: ActionKey; reference: string } | null {
  const colon = remark.indexOf(':')
  const key = actionKeys.find((candidate) => candidate === remark.slice(0, Math.max(colon, 0)))
  return key === undefined ? null : { key, reference: remark.slice(colon + 1) }
}
