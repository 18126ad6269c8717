import { sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '../../../db/open.ts'
import { queryRows } from '../../../db/query-rows.ts'
import type { Plan } from './find-plan.ts'

/**
 * Whether units are set aside for a new order. Orders cost nothing, so that many accounts could empty a plan with them:
 * what is set aside may be at most half of what is unsold, which is `unitsLeft` and what is set aside already.
 */
export const mayReserve = (unitsLeft: bigint, reserved: bigint, units: bigint): boolean =>
  2n * (reserved + units) <= unitsLeft + reserved

/** The same of a plan as it is now; exact while the plan is locked. */
export async function canReserve(db: Database, plan: Plan, units: bigint): Promise<boolean> {
  const [row] = await queryRows(
    db,
    z.object({ reserved: z.bigint() }),
    sql`select coalesce(sum(units), 0)::bigint as reserved from power_order where plan_id = ${plan.id} and is_reserved`,
  )
  return mayReserve(plan.unitsLeft, row?.reserved ?? 0n, units)
}
