import { amountField, countField, localizedText } from '@candela/protocol/fields'
import type { Database, Tx } from '../../../db/open.ts'
import { z } from 'zod'

const text = z.string().trim().min(1).max(500)
const texts = localizedText.extend({ zh: text, tw: text, en: text })

/** A new plan as the operator types it: amounts in whole units, counts as texts. */
export const newPlan = z
  .object({
    name: texts,
    description: texts,
    unit: z.string().trim().min(1).max(8),
    /** USDT per unit; the bound keeps the cost of any quantity within what a number of the chain holds. */
    unitPrice: amountField.pipe(z.bigint().max(10n ** 30n)),
    termDays: countField.pipe(z.number().max(3_650)),
    minUnits: countField,
    maxUnits: countField,
    totalUnits: countField,
    /** Millionths of the output. */
    serviceFeePpm: z.number().int().min(0).max(1_000_000),
  })
  .refine((plan) => plan.minUnits <= plan.maxUnits, { path: ['minUnits'], message: 'must not be above maxUnits' })
  .refine((plan) => plan.minUnits <= plan.totalUnits, { path: ['minUnits'], message: 'must not be above totalUnits' })

/** A plan that passed the checks: `unitPrice` in USDT base units, everything else in whole units. */
export type NewPlan = z.output<typeof newPlan>

/** Puts a plan on sale. Returns its id. */
export async function createPlan(tx: Tx, plan: NewPlan, now: Date): Promise<bigint> {
  const { id } = await tx
    .insertInto('power_plan')
    .values({
      name: plan.name,
      description: plan.description,
      unit: plan.unit,
      unit_price: plan.unitPrice,
      term_days: plan.termDays,
      min_units: BigInt(plan.minUnits),
      max_units: BigInt(plan.maxUnits),
      total_units: BigInt(plan.totalUnits),
      units_left: BigInt(plan.totalUnits),
      service_fee_ppm: plan.serviceFeePpm,
      created_at: now,
      closed_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/**
 * Takes a plan off sale. Orders that it has stay as they are: who reserved units can still pay in time.
 * @returns false when there is no such plan or it was closed already
 */
export async function closePlan(tx: Tx, planId: bigint, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('power_plan')
    .set({ closed_at: now })
    .where('id', '=', planId)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Gives a plan another picture, or none. @returns false when there is no such plan */
export async function setPlanPicture(tx: Tx, planId: bigint, url: string | null): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('power_plan')
    .set({ picture_url: url })
    .where('id', '=', planId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** All plans, closed ones too, oldest first. */
export const listAllPlans = (db: Database) => db.selectFrom('power_plan').selectAll().orderBy('id').execute()
