import { z } from 'zod'
import { assets } from './amounts.ts'

/** The answers of the service, in the form that is expected of them; unknown fields are left out. */

const amount = z.string().regex(/^-?\d+(\.\d+)?$/)
const address = z.string().transform((text) => text.toLowerCase())
const asset = z.enum(assets)
const ratio = amount.nullable()

/** The fund just after the close of a day. */
const fundClose = z.object({ day: z.string(), assets: amount, shares: amount })

export const homeForm = z.object({
  yesterday: z.object({ day: z.string(), revenue: amount, outputPerUnit: amount }).nullable(),
  fundRate: amount.nullable(),
  fundRateCloses: z.object({ first: fundClose, last: fundClose }).nullable(),
  solvency: z
    .object({
      lowest: z.object({ asset, ratio: amount }).nullable(),
      assets: z.array(z.object({ asset, held: amount, owed: amount })),
    })
    .nullable(),
  network: z.object({ chainId: z.string() }),
  contracts: z.object({ gateway: address, usdt: address, hash: address }),
  confirmations: z.object({ large: z.number() }),
})
export type Home = z.infer<typeof homeForm>

export const solvencyForm = z.object({
  now: z
    .object({
      comparedAt: z.string(),
      block: z.object({ number: z.number(), hash: z.string(), at: z.string() }),
      agrees: z.boolean(),
      assets: z.array(
        z.object({ asset, held: amount, owed: amount, owedMembers: amount, owedUnassigned: amount, ratio }),
      ),
    })
    .nullable(),
  history: z.array(z.object({ at: z.string(), JU: ratio, USDT: ratio, HASH: ratio })),
})

export const incomeDayForm = z.object({
  day: z.string(),
  closed: z.boolean(),
  revenue: amount,
  carriedIn: amount,
  carriedOut: amount,
  totalUnits: z.number(),
  fee: amount,
  paid: amount,
  accounts: z.number(),
  plans: z.array(z.object({ planId: z.string(), feeRate: amount, units: z.number(), fee: amount })),
  deposits: z.array(
    z.object({
      txHash: z.string(),
      blockNumber: z.number(),
      at: z.string(),
      payer: address,
      amount,
      forDay: z.string(),
    }),
  ),
  closedAt: z.string().nullable(),
})
export type IncomeDay = z.infer<typeof incomeDayForm>

const state = z.object({ assets: amount, shares: amount })
const moved = z.object({ count: z.number(), amount })

export const usedPriceForm = z.object({
  asset,
  used: amount,
  side: z.enum(['average', 'spot', 'unit']),
  average: amount,
  spot: amount,
  windowSeconds: z.number(),
  pair: z.string().nullable(),
  blockNumber: z.number().nullable(),
  observedAt: z.string().nullable(),
})
export type UsedPrice = z.infer<typeof usedPriceForm>

export const dayForm = z.object({
  day: z.string(),
  payments: z.array(z.object({ asset, received: moved, paid: moved })),
  fund: z.array(
    z.object({
      reason: z.enum(['close', 'deficit']),
      closed: z.string().nullable(),
      at: z.string(),
      before: state,
      after: state,
      price: amount,
    }),
  ),
  prices: z.array(usedPriceForm),
})
export type Day = z.infer<typeof dayForm>
