import { codes } from '@candela/protocol/codes/codes'
import type { Database, Tx } from '../../db/open.ts'
import { AppError } from '../../kernel/errors.ts'
import type { PlanTerms } from './quote.ts'

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
