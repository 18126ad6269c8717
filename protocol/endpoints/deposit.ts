import { z } from 'zod'
import { assetCodes } from '../money/assets.ts'
import { endpoint } from '../endpoint.ts'
import {
  addressData,
  amountData,
  amountField,
  assetField,
  dayField,
  hashData,
  pageFields,
  pageOf,
  requestIdErrors,
  requestIdField,
  timeData,
} from '../fields.ts'
import { paymentData, rechargeTransaction } from './payment.ts'

const depositData = z.object({
  /** Null for money that came without being announced: a plain transfer, or a payment that matched no order. */
  depositNo: z.string().nullable(),
  asset: z.enum(assetCodes),
  amount: amountData,
  /** `announced` until seen on chain; `lapsed` when nothing came within a day (a later payment still counts). */
  state: z.enum(['announced', 'confirming', 'credited', 'lapsed']),
  createdAt: timeData,
  payment: paymentData.nullable(),
})

export const depositEndpoints = {
  'POST deposit/getOrder': endpoint({
    summary: 'Announces a deposit (idempotent by requestId) and gives the transaction that pays it in.',
    auth: 'session',
    input: z.object({ asset: assetField, amount: amountField, requestId: requestIdField }),
    data: z.object({
      deposit: depositData,
      transaction: rechargeTransaction,
      /** The allowance that the contract needs before `transaction`; null for JU. `amount` is in base units. */
      approval: z.object({ token: addressData, spender: addressData, amount: z.string().regex(/^[0-9]+$/) }).nullable(),
    }),
    errors: ['belowMinimum', 'tooManyDeposits', 'dailyLimit', ...requestIdErrors, 'chainBehind'],
  }),
  'GET deposit/dust': endpoint({
    summary:
      'The payments below a step that were booked in one sum for the caller, asset and UTC day, by their transactions’ hashes.',
    auth: 'session',
    input: z.object({ asset: assetField, day: dayField, ...pageFields }),
    data: pageOf(z.object({ txHash: hashData, payer: addressData, amount: amountData, at: timeData })),
    errors: [],
  }),
  'GET deposit/list': endpoint({
    summary: 'Money of the caller that came in or is coming in, newest first.',
    auth: 'session',
    input: z.object({
      depositNo: z
        .string()
        .regex(/^[A-Z0-9]{8,32}$/)
        .optional(),
      ...pageFields,
    }),
    data: pageOf(
      depositData.extend({
        /** The transaction that pays it in, from any device; null unless it is announced and not paid yet. */
        transaction: rechargeTransaction.nullable(),
      }),
    ),
    errors: [],
  }),
}
