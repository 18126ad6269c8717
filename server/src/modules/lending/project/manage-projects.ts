import { collateralAssets } from '@candela/protocol/lending/choices'
import { amountField, localizedText } from '@candela/protocol/fields'
import { parseAmount } from '@candela/protocol/money/money'
import { RATE_DECIMALS } from '@candela/protocol/units'
import { z } from 'zod'
import type { Database, Tx } from '../../../db/open.ts'

const text = z.string().trim().min(1).max(2_000)
const texts = localizedText.extend({ zh: text, tw: text, en: text })

/** A fraction such as "0.05"; becomes millionths. */
const rate = z.string().transform((typed, context) => {
  const parsed = parseAmount(typed, RATE_DECIMALS)
  if (parsed.ok && parsed.amount <= 1_000_000n) return Number(parsed.amount)
  context.addIssue({ code: 'custom', message: 'must be a fraction from 0 to 1 with at most six decimals' })
  return z.NEVER
})

const terms = {
  /** USDT that is lent at the same time. */
  total: amountField.pipe(z.bigint().max(10n ** 36n)),
  /** A year. */
  rate,
  initialRate: rate,
  safetyLine: rate,
  clearingLine: rate,
}

type Lines = { initialRate: number; safetyLine: number; clearingLine: number }

const inOrder = <Schema extends z.ZodType<Lines>>(schema: Schema) =>
  schema
    .refine(({ initialRate }) => initialRate > 0, { path: ['initialRate'], message: 'must be above 0' })
    .refine(({ initialRate, safetyLine }) => initialRate < safetyLine, {
      path: ['safetyLine'],
      message: 'must be above the initial rate',
    })
    .refine(({ safetyLine, clearingLine }) => safetyLine < clearingLine && clearingLine < 1_000_000, {
      path: ['clearingLine'],
      message: 'must be above the safety line and below 1',
    })

/** A new project as the operator types it: amounts in whole units, rates as fractions. */
export const newProject = inOrder(
  z.object({ name: texts, information: texts, collateral: z.enum(collateralAssets), ...terms }),
)

/** All terms of a project that can be changed, in the same words. */
export const projectTerms = inOrder(z.object(terms))

export type NewProject = z.output<typeof newProject>

/** Opens a project for loans. */
export async function createProject(tx: Tx, projectNo: string, project: NewProject, now: Date): Promise<void> {
  await tx
    .insertInto('project')
    .values({
      project_no: projectNo,
      name: project.name,
      information: project.information,
      collateral_asset: project.collateral,
      total: project.total,
      rate_ppm: project.rate,
      initial_ppm: project.initialRate,
      safety_ppm: project.safetyLine,
      clearing_ppm: project.clearingLine,
      created_at: now,
      closed_at: null,
    })
    .execute()
}

/**
 * Gives a project other terms for the loans that are made from now on.
 * @returns false when there is no such project or it is closed
 */
export async function changeProject(tx: Tx, projectNo: string, to: z.output<typeof projectTerms>): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('project')
    .set({
      total: to.total,
      rate_ppm: to.rate,
      initial_ppm: to.initialRate,
      safety_ppm: to.safetyLine,
      clearing_ppm: to.clearingLine,
    })
    .where('project_no', '=', projectNo)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Ends lending of a project. Loans that it has stay as they are.
 * @returns false when there is no such project or it was closed already
 */
export async function closeProject(tx: Tx, projectNo: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('project')
    .set({ closed_at: now })
    .where('project_no', '=', projectNo)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Gives a project another picture, or none. @returns false when there is no such project */
export async function setProjectPicture(tx: Tx, projectNo: string, url: string | null): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('project')
    .set({ picture_url: url })
    .where('project_no', '=', projectNo)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** All projects, closed ones too, oldest first. */
export const listAllProjects = (db: Database) => db.selectFrom('project').selectAll().orderBy('id').execute()
