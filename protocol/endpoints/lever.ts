import { leverTermDays } from '../lending/choices.ts'
import { z } from 'zod'
import { MAX_RATIO_TENTHS, MIN_RATIO_TENTHS } from '../lending/lever/leverage.ts'
import { endpoint } from '../endpoint.ts'
import {
  amountData,
  amountField,
  dayData,
  flagField,
  minimumField,
  numberField,
  requestIdErrors,
  requestIdField,
} from '../fields.ts'
import { collateralPriceData, loanData, safetyStatuses } from './lending.ts'
import { chargesData } from './project.ts'
import { collateralAssets } from '../lending/choices.ts'

/** "2" to "4" with at most one decimal; becomes tenths. */
const ratioField = z
  .string()
  .regex(/^[2-4](\.[0-9])?$/, 'notARatio')
  .transform((text) => Math.round(Number(text) * 10))
  .refine((tenths) => tenths >= MIN_RATIO_TENTHS && tenths <= MAX_RATIO_TENTHS, 'notARatio')

const openFields = {
  asset: z.enum(collateralAssets),
  /** USDT. */
  margin: amountField,
  ratio: ratioField,
  days: z.enum(leverTermDays).transform(Number),
}

/** 1 to 100. */
const percentField = z
  .string()
  .regex(/^([1-9][0-9]?|100)$/, 'notAPercentage')
  .transform(Number)

/** Effect of closing a part. USDT but for `sold` and `kept`. */
const closeData = {
  sold: amountData,
  salePrice: amountData,
  fee: amountData,
  proceeds: amountData,
  repaid: amountData,
  /** To the balance. */
  returned: amountData,
  /**
   * The amount of the part, in the asset, that is not sold, because the desk takes no more in this hour or the price is paused. For 100
   * % it goes to the balance, else it stays.
   */
  kept: amountData,
}

export const leverEndpoints = {
  'GET lever/options': endpoint({
    summary: 'What leveraged loans are offered with: assets, terms, ratios, rate, lines and what can be used.',
    auth: 'session',
    input: z.object({}),
    data: z.object({
      assets: z.array(
        z.object({
          asset: z.enum(collateralAssets),
          price: collateralPriceData.nullable(),
          paused: z.boolean(),
          /** The greatest ratio possible at the prices of now; null while there is none. */
          maxRatio: amountData.nullable(),
          /** USDT that the caller can still owe on the asset. */
          ceilingLeft: amountData,
        }),
      ),
      termDays: z.array(z.int().positive()),
      minRatio: amountData,
      maxRatio: amountData,
      rate: amountData,
      safetyLine: amountData,
      clearingLine: amountData,
      minMargin: amountData,
      /** USDT of the caller. */
      available: amountData,
      /** The amount that the fund can lend. */
      fundIdle: amountData,
      charges: chargesData,
    }),
    errors: [],
  }),
  'GET lever/quote': endpoint({
    summary: 'Everything about a leveraged loan before it is opened, computed with `leverTermsOf`.',
    auth: 'session',
    input: z.object(openFields),
    data: z.object({
      asset: z.enum(collateralAssets),
      margin: amountData,
      ratio: amountData,
      loan: amountData,
      total: amountData,
      /** The price that the desk takes, and the fee in millionths of what is bought. */
      buyPrice: amountData,
      feePpm: z.int().nonnegative(),
      fee: amountData,
      bought: amountData,
      price: collateralPriceData,
      rate: amountData,
      interestPerDay: amountData,
      interest: amountData,
      repayment: amountData,
      dueOn: dayData,
      mortgageRate: amountData,
      safetyLine: amountData,
      clearingLine: amountData,
      status: z.enum(safetyStatuses),
      liquidationPrice: amountData,
      fall: amountData,
      risk: z.enum(['low', 'medium', 'high']),
    }),
    errors: ['marginTooSmall', 'deskShort', 'fundShort', 'overCreditLimit', 'pricePaused'],
  }),
  'GET lever/closeQuote': endpoint({
    summary:
      'What closing a part of a position would do now: all of it is sold while the desk takes it in this hour, else what repays its debt, at the price of a liquidation.',
    auth: 'session',
    input: z.object({ loanNo: numberField, percent: percentField }),
    data: z.object({
      /** The amount of the asset. */
      part: amountData,
      /** The amount that all of the part would bring at the price, after the fee: `minProceeds` is compared with it. */
      worth: amountData,
      ...closeData,
    }),
    errors: ['notFound', 'loanState', 'pricePaused'],
  }),
  'POST lever/open': endpoint({
    summary:
      'Opens a leveraged loan: margin and loan buy the asset, which is its collateral (idempotent by requestId).',
    auth: 'session',
    input: z.object({
      ...openFields,
      /** The least amount of the asset. Less is refused with 4204, and nothing happens; 0 sets no limit. */
      minBought: minimumField,
      /** Has to be 1 when the loan starts above its safety line. */
      acceptWarning: flagField,
      requestId: requestIdField,
    }),
    data: z.object({ loan: loanData }),
    errors: [
      'notEnoughBalance',
      'aboveLimit',
      'priceMoved',
      'deskShort',
      'overCreditLimit',
      'fundShort',
      'marginTooSmall',
      ...requestIdErrors,
      'pricePaused',
    ],
  }),
  'POST lever/addMargin': endpoint({
    summary: 'Pays a part of a leveraged loan from the balance, which moves its liquidation price down (idempotent).',
    auth: 'session',
    input: z.object({ loanNo: numberField, amount: amountField, requestId: requestIdField }),
    data: z.object({ loan: loanData }),
    errors: ['belowMinimum', 'dailyLimit', 'notFound', 'notEnoughBalance', 'loanState', ...requestIdErrors],
  }),
  'POST lever/close': endpoint({
    summary:
      'Sells a part of the position or all of it, repays that part of the debt, and returns the rest (idempotent).',
    auth: 'session',
    input: z.object({
      loanNo: numberField,
      percent: percentField,
      /** USDT that all of the part has to be worth, after the fee. Less is refused with 4204, and nothing happens; 0 sets no limit. */
      minProceeds: minimumField,
      requestId: requestIdField,
    }),
    data: z.object({
      loan: loanData,
      ...closeData,
    }),
    errors: ['notFound', 'priceMoved', 'deskShort', 'loanState', 'overCreditLimit', ...requestIdErrors, 'pricePaused'],
  }),
}
