import { fromBaseUnits } from '@candela/protocol/money/money'
import { rateText } from '../../db/lending-settings.ts'
import { OperatorError } from '../../kernel/errors.ts'
import { systemIds } from '../../kernel/ids.ts'
import {
  changeProject,
  closeProject,
  createProject,
  listAllProjects,
  newProject,
  projectTerms,
  setProjectPicture,
} from '../../modules/lending/project/manage-projects.ts'
import { flagOf } from '../options/plan-options.ts'
import type { Bindings } from '../run.ts'
import type { z } from 'zod'

type Name = 'project create' | 'project change' | 'project close' | 'project picture' | 'project list'

export const projectCommands: Bindings<Name> = {
  'project create': async (tx, typed, { now }) => {
    const projectNo = systemIds({ now: () => now }).orderNumber()
    await createProject(tx, projectNo, readProject(typed), now)
    return { projectNo, createdAt: now }
  },
  'project change': async (tx, { number, ...typed }, { now }) => {
    const changed = await changeProject(tx, number, parsed(projectTerms.safeParse(typed)))
    if (!changed) throw new OperatorError(`there is no open project ${number}`)
    return { projectNo: number, changedAt: now }
  },
  'project close': async (tx, { number }, { now }) => {
    if (!(await closeProject(tx, number, now))) throw new OperatorError(`there is no open project ${number}`)
    return { projectNo: number, closedAt: now }
  },
  'project picture': async (tx, { number, url }, { now }) => {
    if (!(await setProjectPicture(tx, number, url))) throw new OperatorError(`there is no project ${number}`)
    return { projectNo: number, picture: url, changedAt: now }
  },
  'project list': async (tx) => {
    const projects = await listAllProjects(tx)
    return projects.map((row) => ({
      number: row.project_no,
      name: row.name.en,
      picture: row.picture_url,
      collateral: row.collateral_asset,
      total: fromBaseUnits(row.total),
      borrowed: fromBaseUnits(row.borrowed),
      interestEarned: fromBaseUnits(row.interest_earned),
      rate: rateText(row.rate_ppm),
      initialRate: rateText(row.initial_ppm),
      safetyLine: rateText(row.safety_ppm),
      clearingLine: rateText(row.clearing_ppm),
      createdAt: row.created_at,
      closedAt: row.closed_at,
    }))
  },
}

const readProject = (typed: Readonly<Record<string, string>>) =>
  parsed(
    newProject.safeParse({
      ...typed,
      name: { zh: typed['nameZh'], tw: typed['nameTw'], en: typed['nameEn'] },
      information: { zh: typed['informationZh'], tw: typed['informationTw'], en: typed['informationEn'] },
    }),
  )

/** @throws OperatorError that names the first option that is wrong */
function parsed<T>(result: z.ZodSafeParseResult<T>): T {
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new OperatorError(`${flagOf(issue?.path ?? [])}: ${issue?.message ?? 'is wrong'}`)
}
