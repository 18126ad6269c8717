import { z } from 'zod'
import { assetCodes } from '../money/assets.ts'
import { endpoint } from '../endpoint.ts'
import { amountData, dayData, dayField, timeData } from '../fields.ts'
import { deskPriceData } from './exchange.ts'
import { fundStateData } from './finance.ts'

/** Held ÷ owed as a fraction, rounded down; null where nothing is owed. */
const ratioData = amountData.nullable()

/** The comparison of what the contract holds with what is owed, and how old it is. */
const comparisonFields = {
  /** Since the comparison, or since its block where that is older. Seconds by the server's clock. */
  ageSeconds: z.int().nonnegative(),
  /** Older than this, the figures say nothing about now. */
  maxAgeSeconds: z.int().positive(),
}

/** The part of it that home shows. */
export const solvencyData = z.object({
  ...comparisonFields,
  /** The asset of which the least is there of what is owed; null where nothing is owed. */
  lowest: z.object({ asset: z.enum(assetCodes), ratio: amountData }).nullable(),
  assets: z.array(z.object({ asset: z.enum(assetCodes), held: amountData, owed: amountData })),
})

const movedData = z.object({ count: z.int().nonnegative(), amount: amountData })

export const solvencyEndpoints = {
  'GET solvency/day': endpoint({
    summary:
      'What the service says of a UTC day that is over, to be compared with the chain: payments, fund prices, prices of exchanges.',
    auth: 'public',
    input: z.object({ day: dayField }),
    data: z.object({
      day: dayData,
      /** Amounts of every asset that events of the contract’s blocks of that day brought in and paid out. */
      payments: z.array(z.object({ asset: z.enum(assetCodes), received: movedData, paid: movedData })),
      /** Every change of the fund’s price that was made on that day, in order. */
      fund: z.array(
        z.object({
          reason: z.enum(['close', 'deficit']),
          /** The day that was closed; null for a deficit. */
          closed: dayData.nullable(),
          at: timeData,
          before: fundStateData,
          after: fundStateData,
          price: amountData,
        }),
      ),
      /** Prices by which anything was exchanged, and how often. */
      prices: z.array(deskPriceData.extend({ exchanges: z.int().positive() })),
    }),
    errors: ['notFound'],
  }),
  'GET solvency/now': endpoint({
    summary:
      'What the contract holds and what is owed, per asset, at the last reconciled block, and the last seven days.',
    auth: 'public',
    input: z.object({}),
    data: z.object({
      /** Null before the first comparison. */
      now: z
        .object({
          ...comparisonFields,
          block: z.object({ number: z.int().nonnegative(), hash: z.string().regex(/^0x[0-9a-f]{64}$/), at: timeData }),
          comparedAt: timeData,
          /** The books said of each asset what the chain said. */
          agrees: z.boolean(),
          assets: z.array(
            z.object({
              asset: z.enum(assetCodes),
              /** By the contract, on chain. */
              held: amountData,
              /** The two below together. */
              owed: amountData,
              /** Amounts that members have: balances, set aside for withdrawals, collateral, fund shares; less their debts. */
              owedMembers: amountData,
              /** Amounts that belong to somebody and are on no balance yet. */
              owedUnassigned: amountData,
              ratio: ratioData,
            }),
          ),
        })
        .nullable(),
      /** The lowest ratios of each hour, oldest first. */
      history: z.array(z.object({ at: timeData, JU: ratioData, USDT: ratioData, HASH: ratioData })),
    }),
    errors: [],
  }),
}
