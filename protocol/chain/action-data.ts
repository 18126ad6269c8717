/**
 * Data that `recharge(abiKey, data)` takes and what the event `TransactionDetails` contains. The event has no field for the
 * action key, so the contract writes the key and a colon at the start of the remark.
 */

/** Keys that the payment contract accepts; the event of a plain native receipt has "native". */
export const actionKeys = ['buyPower', 'deposit', 'revenue', 'repay', 'native'] as const

export type ActionKey = (typeof actionKeys)[number]

/** ABI types of `data`, for every key: amount in base units, asset or zero address, customer, reference. */
export const rechargeDataTypes = [
  { name: 'amount', type: 'uint256' },
  { name: 'asset', type: 'address' },
  { name: 'customer', type: 'address' },
  { name: 'reference', type: 'string' },
] as const

/** The native currency, where the contract expects the address of an asset. */
export const NATIVE_ASSET = '0x0000000000000000000000000000000000000000'

/** Splits a remark at its first colon; null for a remark that our contract never writes. */
export function parseRemark(remark: string): { key: ActionKey; reference: string } | null {
  const colon = remark.indexOf(':')
  const key = actionKeys.find((candidate) => candidate === remark.slice(0, Math.max(colon, 0)))
  return key === undefined ? null : { key, reference: remark.slice(colon + 1) }
}
