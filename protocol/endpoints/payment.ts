import { z } from 'zod'
import { assetCodes } from '../money/assets.ts'
import { addressData, amountData, hashData, timeData } from '../fields.ts'

/** A payment to the contract, as seen on chain: shared by everything that is paid for or paid in. */
export const paymentData = z.object({
  txHash: hashData,
  payer: addressData,
  asset: z.enum(assetCodes),
  amount: amountData,
  blockNumber: z.int(),
  confirmations: z.int().nonnegative(),
  confirmationsNeeded: z.int().positive(),
  /** Where the money ended: its order, an account balance, or the suspense account; null while confirming. */
  outcome: z.enum(['order', 'balance', 'suspense']).nullable(),
  at: timeData,
})

/** Everything the wallet needs for `recharge(string,bytes)` on the payment contract. */
export const rechargeTransaction = z.object({
  chainId: z.int(),
  to: addressData,
  abiKey: z.enum(['buyPower', 'deposit', 'repay']),
  /** The tuple inside `data`: amount in base units, payment asset or the zero address, customer, reference. */
  tuple: z.tuple([z.string(), addressData, addressData, z.string()]),
  /** Encoded call data of `recharge(abiKey, abi.encode(tuple))`. */
  data: z.string().regex(/^0x[0-9a-f]*$/),
  /** Native value in base units, as a decimal text of a whole number. */
  value: z.string().regex(/^[0-9]+$/),
  gas: z.string().regex(/^[0-9]+$/),
})

export type RechargeTransaction = z.output<typeof rechargeTransaction>
