import { codes } from '@candela/protocol/codes/codes'
import { anyOf } from '../../../db/any-of.ts'
import type { Database, Tx } from '../../../db/open.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { PlanTerms } from '../orders/quote.ts'
import { sql } from 'kysely'

/** The terms that an order takes over from its plan. */
export type Plan = PlanTerms & {
  id: bigint
  /** Set aside for unpaid orders, besides those that are left. */
  unitsReserved: bigint
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
    unitsReserved: row.units_reserved,
    closed: row.closed_at !== null,
    termDays: row.term_days,
    serviceFee_ppm: row.service_fee_ppm,
  }
}

/** The change of a plan's units: those that are left, and those that are set aside for unpaid orders. */
type UnitsChange = { planId: bigint; left: bigint; reserved: bigint }

/** Adds to or takes from the units of plans. Several changes of one plan count together. */
export async function changeUnits(tx: Tx, changes: readonly UnitsChange[]): Promise<void> {
  const byPlan = Map.groupBy(changes, ({ planId }) => planId)
  const sums = [...byPlan]
    .map(([planId, ofPlan]) => ({
      planId,
      left: ofPlan.reduce((sum, { left }) => sum + left, 0n),
      reserved: ofPlan.reduce((sum, { reserved }) => sum + reserved, 0n),
    }))
    .filter(({ left, reserved }) => left !== 0n || reserved !== 0n)
  if (sums.length === 0) return
  const planIds = sums.map(({ planId }) => planId)
  // Locked in the order of their ids, as everything that locks several of them does.
  await lockPlans(tx, planIds)
  await sql`
    update power_plan p set units_left = p.units_left + change.to_left, units_reserved = p.units_reserved + change.to_reserved
    from unnest(${planIds}::bigint[], ${sums.map(({ left }) => left)}::bigint[], ${sums.map(({ reserved }) => reserved)}::bigint[])
      as change(plan_id, to_left, to_reserved)
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
    .where('id', '=', anyOf(planIds))
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

/** The same of a plan as it was read; exact while the plan is locked. */
export const canReserve = (plan: Plan, units: bigint): boolean => mayReserve(plan.unitsLeft, plan.unitsReserved, units)
