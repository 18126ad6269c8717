import { codes } from '@candela/protocol/codes/codes'
import type { Database, Tx } from '../../../db/open.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { PlanTerms } from '../orders/quote.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import { queryRows } from '../../../db/query-rows.ts'

/** What an order takes over from its plan. */
export type Plan = PlanTerms & {
  id: bigint
  termDays: number
  /** Millionths of the output that the platform keeps. */
  serviceFee_ppm: number
}

/** A plan as it is now. @throws AppError 404 when there is none */
export const findPlan = (db: Database, planId: number): Promise<Plan> => read(planQuery(db, planId))

/** A plan, locked until the transaction ends. @throws AppError 404 when there is none */
export const lockPlan = (tx: Tx, planId: number): Promise<Plan> => read(planQuery(tx, planId).forUpdate())

const planQuery = (db: Database, planId: number) =>
  db.selectFrom('power_plan').selectAll().where('id', '=', BigInt(planId))

async function read(query: ReturnType<typeof planQuery>): Promise<Plan> {
  const row = await query.executeTakeFirst()
  if (row === undefined) throw new AppError(codes.notFound)
  return {
    id: row.id,
    unitPrice: row.unit_price,
    minUnits: row.min_units,
    maxUnits: row.max_units,
    unitsLeft: row.units_left,
    closed: row.closed_at !== null,
    termDays: row.term_days,
    serviceFee_ppm: row.service_fee_ppm,
  }
}

/** Adds to or takes from the units that plans have left. Several changes of one plan count together. */
export async function changeUnitsLeft(tx: Tx, changes: readonly { planId: bigint; delta: bigint }[]): Promise<void> {
  const sums = new Map<bigint, bigint>()
  for (const { planId, delta } of changes) sums.set(planId, (sums.get(planId) ?? 0n) + delta)
  const planIds = [...sums.keys()].filter((planId) => sums.get(planId) !== 0n).toSorted((a, b) => (a < b ? -1 : 1))
  if (planIds.length === 0) return
  // Locked in the order of their ids, as everything that locks several of them does.
  await lockPlans(tx, planIds)
  await sql`
    update power_plan p set units_left = p.units_left + change.delta
    from unnest(${planIds}::bigint[], ${planIds.map((planId) => sums.get(planId))}::bigint[]) as change(plan_id, delta)
    where p.id = change.plan_id`.execute(tx)
}

/** Plans as they are, locked until the transaction ends. */
export async function lockPlans(
  tx: Tx,
  planIds: readonly bigint[],
): Promise<{ id: bigint; unitsLeft: bigint; closed: boolean }[]> {
  const rows = await tx
    .selectFrom('power_plan')
    .select(['id', 'units_left', 'closed_at'])
    .where('id', 'in', [...planIds])
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows.map((row) => ({ id: row.id, unitsLeft: row.units_left, closed: row.closed_at !== null }))
}

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
