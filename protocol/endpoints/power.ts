import { z } from 'zod'
import { assetCodes } from '../money/assets.ts'
import { endpoint } from '../endpoint.ts'
import {
  amountData,
  amountField,
  assetField,
  countField,
  dayData,
  localizedText,
  pageFields,
  pageOf,
  requestIdErrors,
  requestIdField,
  timeData,
} from '../fields.ts'
import { paymentData, rechargeTransaction } from './payment.ts'
import { priceData } from './user.ts'

/** JU is sent as native value, USDT from an allowance. */
const paymentAsset = assetField.extract(['JU', 'USDT'])

const planData = z.object({
  id: z.string(),
  name: localizedText,
  description: localizedText,
  /** Where browsers load its picture from. */
  picture: z.url().nullable(),
  /** Name of the unit, such as "T". */
  unit: z.string(),
  /** USDT per unit. */
  unitPrice: amountData,
  termDays: z.int().positive(),
  minUnits: z.int().positive(),
  maxUnits: z.int().positive(),
  unitsLeft: z.int().nonnegative(),
  totalUnits: z.int().positive(),
  /** Share of the output that the platform keeps, as a fraction: "0.05" is 5 %. */
  serviceFeeRate: amountData,
  /** The first day that earns if bought now: the next UTC day. */
  startsOn: dayData,
})

/** One case of the illustration, per day and for the chosen quantity, in HASH. */
const illustrationCase = z.object({ outputPerUnit: amountData, output: amountData })

export const orderStates = [
  'pending',
  'confirming',
  'active',
  'expired',
  'cancelled',
  'late',
  'mismatch',
  'soldOut',
] as const

export const orderData = z.object({
  orderNo: z.string(),
  planId: z.string(),
  planName: localizedText,
  unit: z.string(),
  units: z.int().positive(),
  state: z.enum(orderStates),
  /**
   * Whether its units are set aside until it is paid or its time is over. An unpaid order without them gets what the plan
   * has left when its payment is credited; when that is too little, the money goes to the payer's balance.
   */
  isReserved: z.boolean(),
  costUsdt: amountData,
  asset: z.enum(assetCodes),
  /** The amount to be paid, in `asset`, exactly. */
  payable: amountData,
  /** USDT per whole unit of `asset` that `payable` was computed with. */
  price: amountData,
  createdAt: timeData,
  payBefore: timeData,
  /** A payment that is in a block by then still finds its order. */
  watchUntil: timeData,
  termDays: z.int().positive(),
  /** First and last UTC day that earn; null until active. */
  startsOn: dayData.nullable(),
  endsOn: dayData.nullable(),
  /** The payment as seen on chain; null while none was seen. */
  payment: paymentData.nullable(),
  /** The transaction that pays for it, from any device; null unless it is pending and still in time. */
  transaction: rechargeTransaction.nullable(),
})

export const powerEndpoints = {
  'GET power/plans': endpoint({
    summary: 'Plans of computing power that are on sale.',
    auth: 'session',
    input: z.object({}),
    data: z.object({ items: z.array(planData) }),
    errors: [],
  }),
  'GET power/calc': endpoint({
    summary: 'What a quantity of a plan costs now, and what it would have put out yesterday.',
    auth: 'session',
    input: z.object({ planId: countField, units: countField, asset: paymentAsset.optional() }),
    data: z.object({
      planId: z.string(),
      units: z.int().positive(),
      costUsdt: amountData,
      asset: z.enum(assetCodes),
      payable: amountData,
      price: priceData,
      /** Whether units would be set aside for an order of this quantity now. */
      isReserved: z.boolean(),
      quoteExpiresAt: timeData,
      /** Yesterday’s real output with a worse and a better case; null when yesterday had no revenue. */
      illustration: z
        .object({
          day: dayData,
          yesterday: illustrationCase,
          worse: illustrationCase,
          better: illustrationCase,
        })
        .nullable(),
    }),
    errors: ['notFound', 'belowMinimum', 'aboveLimit', 'planSoldOut', 'pricePaused'],
  }),
  'POST power/getOrder': endpoint({
    summary: 'Makes an order (idempotent by requestId), with the transaction that pays for it.',
    auth: 'session',
    input: z.object({
      planId: countField,
      units: countField,
      asset: paymentAsset.optional(),
      requestId: requestIdField,
      /** The maximum that the caller agreed to pay, from the quote on screen; refused with 4204 above it. */
      maxPayable: amountField.optional(),
    }),
    data: z.object({ order: orderData }),
    errors: [
      'notFound',
      'belowMinimum',
      'aboveLimit',
      'planSoldOut',
      'pricePaused',
      'priceMoved',
      'dailyLimit',
      ...requestIdErrors,
      'chainBehind',
    ],
  }),
  'GET power/orderList': endpoint({
    summary: 'Orders of the caller, newest first, each with its payment as seen on chain.',
    auth: 'session',
    input: z.object({
      state: z.enum(orderStates).optional(),
      orderNo: z
        .string()
        .regex(/^[0-9A-Z-]{8,32}$/)
        .optional(),
      ...pageFields,
    }),
    data: pageOf(orderData),
    errors: [],
  }),
}
