import type { Data } from '../endpoints.ts'
import { poolOf, serviceFeeOf, shareOf } from './income.ts'
import { toBaseUnits } from './money.ts'
import { RATE_DECIMALS } from '../units.ts'

type Day = Data<'GET power/day'>
type Income = Data<'GET user/incomeList'>['items'][number]

/** A published figure that does not follow from the others. */
export type Disagreement = 'amount' | 'revenue' | 'units' | 'fees' | 'balance'

export type Recomputed = {
  /** The amount that the day shared, base units. */
  pool: bigint
  /** Amounts that the own units of each plan earned, base units. */
  parts: { planId: string; units: bigint; feeRate: string; share: bigint }[]
  total: bigint
  /** Empty when everything agrees to the last base unit. */
  disagreements: Disagreement[]
}

/** `power/day` lists at most this many deposits. When it lists as many, some may be missing, and the sum is not checked. */
const MAX_LISTED_DEPOSITS = 50

/**
 * Recomputes an income from the published figures of its day, and checks these figures against each other. Every step is
 * exact, in base units.
 */
export function recomputeIncome(day: Day, income: Pick<Income, 'amount' | 'units'>): Recomputed {
  const revenue = toBaseUnits(day.revenue)
  const sharing = {
    pool: poolOf({ revenue, carriedIn: toBaseUnits(day.carriedIn) }),
    totalUnits: BigInt(day.totalUnits),
  }
  const rates = new Map(day.plans.map(({ planId, feeRate }) => [planId, feeRate]))
  const parts = income.units.map(({ planId, units }) => {
    const feeRate = rates.get(planId) ?? '1'
    return {
      planId,
      units: BigInt(units),
      feeRate,
      share: shareOf(sharing, toBaseUnits(feeRate, RATE_DECIMALS), BigInt(units)),
    }
  })
  const total = sum(parts.map(({ share }) => share))
  const holds: Record<Disagreement, boolean> = {
    amount: total === toBaseUnits(income.amount),
    revenue:
      day.deposits.length >= MAX_LISTED_DEPOSITS ||
      sum(day.deposits.map(({ amount }) => toBaseUnits(amount))) === revenue,
    units: sum(day.plans.map(({ units }) => BigInt(units))) === sharing.totalUnits,
    fees:
      sum(
        day.plans.map(({ feeRate, units }) =>
          serviceFeeOf(sharing, toBaseUnits(feeRate, RATE_DECIMALS), BigInt(units)),
        ),
      ) === toBaseUnits(day.fee),
    balance:
      revenue + toBaseUnits(day.carriedIn) ===
      sum([day.paid, day.fee, day.carriedOut].map((text) => toBaseUnits(text))),
  }
  const disagreements = (Object.keys(holds) as Disagreement[]).filter((name) => !holds[name])
  return { pool: sharing.pool, parts, total, disagreements }
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)
