import { z } from 'zod'
import { collateralAssets, priceDays } from '../lending/choices.ts'
import { assetCodes } from '../money/assets.ts'
import { endpoint } from '../endpoint.ts'
import { addressData, amountData, hashData, pageFields, pageOf, timeData } from '../fields.ts'

/** A price in USDT per whole unit, with everything needed to recompute it from the pair on chain. */
export const priceData = z.object({
  asset: z.enum(assetCodes),
  /** Time-weighted average over `windowSeconds`; null before the first observation. */
  average: amountData.nullable(),
  spot: amountData.nullable(),
  /** Time-weighted average of a day; while the price is halted, as it was before. */
  dayAverage: amountData.nullable(),
  windowSeconds: z.int().nonnegative(),
  /** The Uniswap-V2-style pair that the price is read from; null for USDT itself, which is the unit of account. */
  pair: addressData.nullable(),
  blockNumber: z.int().nonnegative().nullable(),
  observedAt: timeData.nullable(),
  /** True while the observation is stale, or spot or average have left the longer average: code 5031 for whatever needs this price. */
  paused: z.boolean(),
  pauseReason: z.enum(['none', 'noObservation', 'stale', 'deviation', 'halted']),
})

const userInfo = z.object({
  uid: z.string(),
  address: addressData,
  level: z.int().min(0).max(5),
  /** Whole units of active power. */
  activePower: z.int().nonnegative(),
  /** Active power at which the next level begins; null at the highest. */
  nextLevelAt: z.int().nullable(),
  /** Empty unless it is open. */
  invitationCode: z.string(),
  /** `waits`: it opens once about 1 USDT is paid in on chain. `closed`: by an operator. */
  invitationState: z.enum(['open', 'waits', 'closed']),
  /** When the account goes again unless as much is paid in; null for one that stays. */
  leavesAt: timeData.nullable(),
  directReferrals: z.int().nonnegative(),
  juUid: z.string().nullable(),
  balances: z.array(z.object({ asset: z.enum(assetCodes), available: amountData, held: amountData })),
  /** Sum of all balances in USDT at the average prices; null while a needed price is missing. */
  totalUsdt: amountData.nullable(),
  joinedAt: timeData,
})

const powerLogItem = z.object({
  id: z.string(),
  kind: z.enum(['activated', 'expired']),
  orderNo: z.string(),
  planName: z.object({ zh: z.string(), tw: z.string(), en: z.string() }),
  unit: z.string(),
  /** Signed change of active power, in whole units. */
  units: z.int(),
  /** Active power after this change. */
  total: z.int().nonnegative(),
  at: timeData,
  txHash: hashData.nullable(),
})

const referralItem = z.object({
  /** First 6 and last 4 characters only. */
  maskedAddress: z.string(),
  joinedAt: timeData,
  activePower: z.int().nonnegative(),
  /** Confirmed purchases of this invitee, in USDT. */
  purchases: amountData,
})

export const userEndpoints = {
  'GET user/info': endpoint({
    summary: 'The account of the caller: identity, level, power and balances.',
    auth: 'session',
    input: z.object({}),
    data: userInfo,
    errors: [],
  }),
  'POST user/updateJuUid': endpoint({
    summary: 'Stores the caller’s UID at the exchange, for display only: nothing is ever paid to it.',
    auth: 'session',
    input: z.object({
      juUid: z
        .string()
        .regex(/^[1-9][0-9]{0,17}$/, 'notACount')
        .transform(BigInt),
    }),
    data: z.object({ juUid: z.string() }),
    errors: [],
  }),
  'GET user/priceInfo': endpoint({
    summary: 'Prices of all assets in USDT, averaged and spot, read from the pairs on chain.',
    auth: 'session',
    input: z.object({}),
    data: z.object({ items: z.array(priceData) }),
    errors: [],
  }),
  'GET user/priceHistory': endpoint({
    summary:
      'Spot prices of an asset over the last days, oldest first: at most 200 points, none for a time without any.',
    auth: 'session',
    input: z.object({ asset: z.enum(collateralAssets), days: z.enum(priceDays) }),
    data: z.object({
      items: z.array(
        z.object({
          /** The last observation of the point's time; `price` is USDT per whole unit. */
          at: timeData,
          blockNumber: z.int().nonnegative(),
          price: amountData,
          /** The extremes of all observations in the point's time, so that no fall is left out. */
          lowest: amountData,
          highest: amountData,
        }),
      ),
    }),
    errors: [],
  }),
  'GET user/powerLog': endpoint({
    summary: 'Every change of the caller’s active power, newest first.',
    auth: 'session',
    input: z.object({ ...pageFields }),
    data: pageOf(powerLogItem),
    errors: [],
  }),
  'GET user/zhiList': endpoint({
    summary: 'Direct invitees of the caller, newest first.',
    auth: 'session',
    input: z.object({ ...pageFields }),
    data: pageOf(referralItem),
    errors: [],
  }),
}
