import type { Data } from '@candela/protocol/endpoints'

export type Plan = Data<'GET power/plans'>['items'][number]
export type Calc = Data<'GET power/calc'>

/** Units that can be ordered of a plan right now; null when fewer are left than an order takes. */
export const orderable = (plan: Plan): { min: number; max: number } | null => {
  const max = Math.min(plan.maxUnits, plan.unitsLeft)
  return max < plan.minUnits ? null : { min: plan.minUnits, max }
}
