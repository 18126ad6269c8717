import { z } from 'zod'
import { assetCodes } from '../money/assets.ts'
import { endpoint } from '../endpoint.ts'
import {
  addressData,
  amountData,
  amountField,
  assetField,
  hashData,
  pageFields,
  pageOf,
  numberField,
  requestIdErrors,
  requestIdField,
  shownAmountField,
  timeData,
} from '../fields.ts'

export const withdrawalStates = ['review', 'queued', 'sending', 'confirming', 'done', 'rejected', 'failed'] as const

/** Why a withdrawal waits, was refused or failed. The app has a text for each. */
export const withdrawalReasons = [
  'overLimit',
  /** Money that the member paid in has left the chain. */
  'flagged',
  /** Payments to the member have reverted before. */
  'reverts',
  /** The asset’s price is paused, so that what it is worth is uncertain. */
  'pricePaused',
  'operator',
  'dailyCap',
  'paused',
  /** The wallet refused before anything was signed. */
  'recipient',
  /** The wallet refused the payment on chain: the fee was kept. */
  'reverted',
  /** The payment failed on chain and it cannot be told why: everything was given back. */
  'unclear',
  /** It could not be paid for a cause that is not the member's: everything was given back. */
  'unpaid',
] as const

const withdrawalData = z.object({
  withdrawalNo: z.string(),
  asset: z.enum(assetCodes),
  /** The amount taken from the balance: `received` and `fee` together. */
  amount: amountData,
  fee: amountData,
  received: amountData,
  /** The fee where it was kept although nothing was paid: the wallet made the payment revert. `received` went back. */
  feeKept: amountData.nullable(),
  /** The account's own wallet; there is no other destination. */
  to: addressData,
  state: z.enum(withdrawalStates),
  reason: z.enum(withdrawalReasons).nullable(),
  /** True while the chain refuses it because the address, or who pays, is on the chain's block list; absent otherwise. */
  blocked: z.literal(true).optional(),
  /** Note that the operator wrote when rejecting it. */
  note: z.string().nullable(),
  createdAt: timeData,
  /** When its owner took it back; `rejected` then. */
  takenBackAt: timeData.nullable(),
  /** The estimated time of completion; null when it has ended or waits for an operator. */
  estimatedAt: timeData.nullable(),
  txHash: hashData.nullable(),
  confirmations: z.int().nonnegative(),
  confirmationsNeeded: z.int().positive(),
  /** Every step with its time, oldest first. */
  timeline: z.array(z.object({ state: z.enum(withdrawalStates), at: timeData, txHash: hashData.nullable() })),
})

export const withdrawEndpoints = {
  'GET withdraw/quote': endpoint({
    summary: 'Fee, what is received, limits and the destination of a withdrawal, before it is asked for.',
    auth: 'session',
    input: z.object({ asset: assetField, amount: amountField.optional() }),
    data: z.object({
      asset: z.enum(assetCodes),
      available: amountData,
      fee: amountData,
      minimum: amountData,
      /** The amount that the day's and the month's limits leave, in this asset; null while its price is unknown. */
      leftToday: amountData.nullable(),
      leftThisMonth: amountData.nullable(),
      /** Null without an amount, or when the fee is not below it. */
      received: amountData.nullable(),
      to: addressData,
      /** True when an operator has to approve this amount. */
      needsReview: z.boolean(),
      paused: z.boolean(),
      /** When it would be there, behind those that wait now; null without an amount, or when an operator decides or nobody knows. */
      expectedAt: timeData.nullable(),
    }),
    errors: [],
  }),
  'POST withdraw/apply': endpoint({
    summary: 'Asks for a payout to the account’s own wallet (idempotent by requestId).',
    auth: 'session',
    input: z.object({
      asset: assetField,
      amount: amountField,
      requestId: requestIdField,
      /** The fee that was shown; refused with 4211 when it is another by now. */
      fee: shownAmountField.optional(),
    }),
    data: z.object({ withdrawal: withdrawalData }),
    errors: [
      'notEnoughBalance',
      'belowMinimum',
      'aboveLimit',
      'tooManyWithdrawals',
      'feeChanged',
      'allowanceUsed',
      ...requestIdErrors,
      'pricePaused',
      'withdrawalsPaused',
    ],
  }),
  'POST withdraw/cancel': endpoint({
    summary:
      'Takes back a withdrawal that is not signed yet: the whole amount is available again (idempotent by requestId).',
    auth: 'session',
    input: z.object({ withdrawalNo: numberField, requestId: requestIdField }),
    data: z.object({ withdrawal: withdrawalData }),
    errors: ['notFound', 'withdrawalSent', 'dailyLimit', ...requestIdErrors],
  }),
  'GET withdraw/list': endpoint({
    summary: 'Withdrawals of the caller, newest first, each with its timeline.',
    auth: 'session',
    input: z.object({
      withdrawalNo: z
        .string()
        .regex(/^[A-Z0-9]{8,32}$/)
        .optional(),
      ...pageFields,
    }),
    data: pageOf(withdrawalData),
    errors: [],
  }),
}
