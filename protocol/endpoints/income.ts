import { z } from 'zod'
import { assetCodes } from '../money/assets.ts'
import { endpoint } from '../endpoint.ts'
import {
  addressData,
  amountData,
  dayData,
  dayField,
  hashData,
  localizedText,
  pageFields,
  pageOf,
  timeData,
} from '../fields.ts'

/** Kinds of a member's income: a share of a day's revenue, or a part of an invitee's purchase. */
export const incomeTypes = ['output', 'referral'] as const

/** The number of days whose output may be asked for at once. */
export const incomeDays = ['7', '30', '90', '365'] as const

const incomeItem = z.object({
  id: z.string(),
  type: z.enum(incomeTypes),
  asset: z.enum(assetCodes),
  amount: amountData,
  /** When it was paid. */
  at: timeData,
  /** The UTC day that was shared; null for what is not output. */
  day: dayData.nullable(),
  /** The member's own units on that day, plan by plan; empty for what is not output. */
  units: z.array(z.object({ planId: z.string(), units: z.int().positive() })),
  /** The purchase that a referral reward is for; null for output. */
  txHash: hashData.nullable(),
})

const dailyIncome = z.object({
  day: dayData,
  /** Output of that day in HASH. */
  amount: amountData,
  /** False for a day that is not closed. */
  closed: z.boolean(),
})

const revenueDeposit = z.object({
  txHash: hashData,
  blockNumber: z.int().nonnegative(),
  at: timeData,
  payer: addressData,
  amount: amountData,
  /** The day that it was deposited for; a late deposit counts for a later day. */
  forDay: dayData,
})

/** Everything that a day's sharing was computed from, and the results. Amounts in HASH. */
const dayFigures = z.object({
  day: dayData,
  /** True once every share is paid. */
  closed: z.boolean(),
  revenue: amountData,
  /** Amounts that earlier days left over, and that this day leaves. */
  carriedIn: amountData,
  carriedOut: amountData,
  totalUnits: z.int().nonnegative(),
  unit: z.string(),
  fee: amountData,
  paid: amountData,
  accounts: z.int().nonnegative(),
  plans: z.array(
    z.object({
      planId: z.string(),
      planName: localizedText,
      /** As a fraction: "0.05" is 5 %. */
      feeRate: amountData,
      units: z.int().positive(),
      fee: amountData,
    }),
  ),
  deposits: z.array(revenueDeposit),
  closedAt: timeData.nullable(),
})

export const incomeEndpoints = {
  'GET user/incomeList': endpoint({
    summary: 'Incomes of the caller, newest first, with the units that each was computed from.',
    auth: 'session',
    input: z.object({ type: z.enum(incomeTypes).optional(), ...pageFields }),
    data: pageOf(incomeItem),
    errors: [],
  }),
  'GET user/incomeDaily': endpoint({
    summary: 'Output of the caller for each of the last days that are over, oldest first.',
    auth: 'session',
    input: z.object({ days: z.enum(incomeDays).transform(Number) }),
    data: z.object({ items: z.array(dailyIncome) }),
    errors: [],
  }),
  'GET power/day': endpoint({
    summary:
      'The published figures of a closed day, from which anybody can recompute every income; the last one without `day`.',
    auth: 'public',
    input: z.object({ day: dayField.optional() }),
    data: dayFigures,
    errors: ['notFound'],
  }),
}
