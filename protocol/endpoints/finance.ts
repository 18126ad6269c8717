import { billPeriods } from '../lending/choices.ts'
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import {
  amountData,
  dayData,
  pageFields,
  pageOf,
  requestIdErrors,
  requestIdField,
  signedAmountData,
  timeData,
  wholeAmountField,
} from '../fields.ts'

/** Figures that a share price is computed from, with `sharePrice`. */
export const fundStateData = z.object({ assets: amountData, shares: amountData })

/** Named by the day that was closed. */
const fundCloseData = z.object({ day: dayData, ...fundStateData.shape })

/** Figures that a rate of the fund is computed from, with `fundRate`: the fund just after one close, and after a later one and all losses since. */
export const fundClosesData = z.object({ first: fundCloseData, last: fundCloseData })

const billData = z.object({
  id: z.string(),
  /** earnings: of a day. deficit: a loss that the reserve could not pay. */
  type: z.enum(['in', 'out', 'earnings', 'deficit']),
  /** The amount moved in or out; zero for the others. */
  amount: amountData,
  /** Gain or loss of the caller's shares; zero for in and out. */
  profit: signedAmountData,
  /** The caller's shares: what came or went, or what earned. */
  shares: amountData,
  /** The fund before and after, from which the profit follows with `worthOf`; the same for in and out. */
  before: fundStateData,
  after: fundStateData,
  day: dayData.nullable(),
  at: timeData,
})

const holdingData = z.object({
  shares: amountData,
  /** In USDT, as are all amounts here. */
  total: amountData,
  yesterday: signedAmountData,
  cumulative: signedAmountData,
})

export const financeEndpoints = {
  'GET finance/info': endpoint({
    summary: 'The money fund and the caller’s part of it: worth, earnings, rate, and what can be moved in and out.',
    auth: 'session',
    input: z.object({}),
    data: z.object({
      ...holdingData.shape,
      /** Part of the amounts moved in since the last close: paid for interest of the running day, and back with its close. */
      paidAhead: amountData,
      price: amountData,
      fund: fundStateData,
      /** Interest charged and not counted yet: a member who comes in pays for it. */
      pending: amountData,
      idle: amountData,
      /** All that loans owe to the fund, interest that is charged and not counted yet included: idle + lent = fund.assets + pending. */
      lent: amountData,
      reserve: amountData,
      /** The part of interest that the reserve gets. */
      reserveShare: amountData,
      /** Rate of the last seven closed days (or as many as there are): a gain annualised, a loss as it was; null before the second close. */
      rate: signedAmountData.nullable(),
      rateDays: z.int().nonnegative(),
      /** Closes that `rate` is computed from. Null where it is. */
      rateCloses: fundClosesData.nullable(),
      available: amountData,
      transferableIn: amountData,
      transferableOut: amountData,
      /** Oldest first, at most 90 days. */
      history: z.array(
        z.object({
          day: dayData,
          price: amountData,
          ...fundStateData.shape,
          earned: amountData,
          reserve: amountData,
          deficit: amountData,
        }),
      ),
    }),
    errors: [],
  }),
  'POST finance/transferIn': endpoint({
    summary: 'Moves whole USDT from the balance into the fund (idempotent by requestId).',
    auth: 'session',
    input: z.object({ amount: wholeAmountField, requestId: requestIdField }),
    data: z.object({ amount: amountData, shares: amountData, holding: holdingData }),
    errors: ['dailyLimit', 'notEnoughBalance', 'fundClosing', ...requestIdErrors],
  }),
  'POST finance/transferOut': endpoint({
    summary: 'Moves whole USDT, or everything, from the fund to the balance (idempotent by requestId).',
    auth: 'session',
    input: z.object({
      amount: wholeAmountField.optional(),
      /** Everything, with its fraction. Either this or an amount. */
      all: z.literal('1').optional(),
      requestId: requestIdField,
    }),
    data: z.object({ amount: amountData, shares: amountData, holding: holdingData }),
    errors: ['dailyLimit', 'notEnoughBalance', 'fundShort', ...requestIdErrors],
  }),
  'GET finance/bills': endpoint({
    summary: 'What the caller moved in and out of the fund, and what each day earned, newest first.',
    auth: 'session',
    input: z.object({ period: z.enum(billPeriods).default('all'), ...pageFields }),
    data: pageOf(billData),
    errors: [],
  }),
}
