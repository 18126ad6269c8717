import { z } from 'zod'
import { assetCodes } from '../money/assets.ts'
import { endpoint } from '../endpoint.ts'
import {
  amountData,
  amountField,
  minimumField,
  assetField,
  pageFields,
  pageOf,
  requestIdErrors,
  requestIdField,
  timeData,
} from '../fields.ts'

/** The price that the desk used, and the two that it chose from. Prices are USDT per whole unit. */
export const deskPriceData = z.object({
  asset: z.enum(assetCodes),
  used: amountData,
  /** The one of the two that was worse for the member. `unit` for USDT, whose price is always one. */
  side: z.enum(['average', 'spot', 'unit']),
  average: amountData,
  spot: amountData,
  windowSeconds: z.int().nonnegative(),
  /** All null for USDT. */
  pair: z.string().nullable(),
  blockNumber: z.int().nullable(),
  observedAt: timeData.nullable(),
})

/** Everything from which the result can be recomputed with `exchangeAt`. */
const termsData = {
  from: z.enum(assetCodes),
  to: z.enum(assetCodes),
  amountIn: amountData,
  /** Whole units of `to` for one of `from`, before the fee. */
  rate: amountData,
  /** In `to`. */
  fee: amountData,
  amountOut: amountData,
  /** In millionths: the usual fee less the discount of the level. */
  feePpm: z.int().nonnegative(),
  baseFeePpm: z.int().nonnegative(),
  level: z.int().nonnegative(),
  discountPercent: z.int().nonnegative(),
  prices: z.object({ from: deskPriceData, to: deskPriceData }),
}

const exchangeData = z.object({
  exchangeNo: z.string(),
  ...termsData,
  /** The amount that its quote promised; the price may have moved since, down to `minReceived`. */
  quotedOut: amountData,
  minReceived: amountData,
  /** The prices that were used: the quote's, or those at execution when they gave less. */
  pricedBy: z.enum(['quote', 'execution']),
  createdAt: timeData,
})

const quoteNoField = z.string().regex(/^[0-9A-Z]{8,32}$/)

export const exchangeEndpoints = {
  'POST exchange/quote': endpoint({
    summary: 'What the desk gives for an amount: prices, fee and result, good for one exchange within 30 seconds.',
    auth: 'session',
    input: z.object({ from: assetField, to: assetField, amount: amountField }),
    data: z.object({
      quoteNo: z.string(),
      ...termsData,
      /** In `from`: the most that the desk takes now. What it takes and gives in an hour is limited by what the pairs hold. */
      hourLeft: amountData,
      createdAt: timeData,
      expiresAt: timeData,
    }),
    errors: ['belowMinimum', 'aboveLimit', 'deskShort', 'pricePaused'],
  }),
  'POST exchange/index': endpoint({
    summary: 'Exchanges as a quote said, if that still gives at least minReceived (idempotent by requestId).',
    auth: 'session',
    input: z.object({
      quoteNo: quoteNoField,
      /** In `to`. Less is refused with 4204, and nothing happens; 0 sets no limit. */
      minReceived: minimumField,
      requestId: requestIdField,
    }),
    data: z.object({ exchange: exchangeData }),
    errors: [
      'notFound',
      'notEnoughBalance',
      'aboveLimit',
      'priceMoved',
      'deskShort',
      ...requestIdErrors,
      'pricePaused',
    ],
  }),
  'GET exchange/list': endpoint({
    summary: 'Exchanges of the caller, newest first, each with everything that it was computed from.',
    auth: 'session',
    input: z.object(pageFields),
    data: pageOf(exchangeData),
    errors: [],
  }),
}
