import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { amountData, dayData, timeData } from '../fields.ts'

/** Ranked as in sports (1, 2, 2, 4): equal amounts share a place, and the next place is skipped. */
const place = z.object({
  rank: z.int().positive(),
  /** First 6 and last 4 characters only. */
  maskedAddress: z.string(),
  /** USDT. */
  amount: amountData,
})

/** The caller's own place; null without a figure. */
const ownRank = z.int().positive().nullable()

/** All purchases that were confirmed before this time are in the ranking; later ones may still wait to be added up. */
const countedUntil = timeData

export const rankingEndpoints = {
  'GET user/todayPerformanceRank': endpoint({
    summary: 'Purchases confirmed this UTC day, own and of direct invitees: the caller’s place, and the first hundred.',
    auth: 'session',
    input: z.object({}),
    data: z.object({
      day: dayData,
      countedUntil,
      rank: ownRank,
      amount: amountData,
      /** The two parts of the amount. */
      own: amountData,
      direct: amountData,
      items: z.array(place),
    }),
    errors: [],
  }),
  'GET user/minPerformanceRank': endpoint({
    summary: 'The whole team’s purchases less its largest direct branch: the caller’s place, and the first hundred.',
    auth: 'session',
    input: z.object({}),
    data: z.object({
      countedUntil,
      rank: ownRank,
      amount: amountData,
      team: amountData,
      largestBranch: amountData,
      items: z.array(place),
    }),
    errors: [],
  }),
}
