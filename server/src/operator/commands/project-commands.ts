import { fromBaseUnits } from '@candela/protocol/money/money'
import { type Command, Option } from 'commander'
import { rateText } from '../../db/credit-settings.ts'
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
} from '../../modules/project/manage-projects.ts'
import { readPictureUrl } from '../options/picture-url.ts'
import { flagOf } from '../options/plan-options.ts'
import type { Run } from '../run.ts'
import type { z } from 'zod'

const required = (flags: string, description: string): Option => new Option(flags, description).makeOptionMandatory()

const terms: readonly Option[] = [
  required('--total <usdt>', 'the most that it lends at the same time'),
  required('--rate <fraction>', 'interest a year, such as 0.09'),
  required('--initial-rate <fraction>', 'highest mortgage rate of a new loan, such as 0.5'),
  required('--safety-line <fraction>', 'mortgage rate of a margin call, such as 0.75'),
  required('--clearing-line <fraction>', 'mortgage rate of a liquidation, such as 0.85'),
]

/** What `project create` takes. All values arrive as texts. */
const options: readonly Option[] = [
  required('--name-zh <text>', 'name in simplified Chinese'),
  required('--name-tw <text>', 'name in traditional Chinese'),
  required('--name-en <text>', 'name in English'),
  required('--information-zh <text>', 'what a borrower should know, in simplified Chinese'),
  required('--information-tw <text>', 'the same in traditional Chinese'),
  required('--information-en <text>', 'the same in English'),
  required('--collateral <asset>', 'what secures its loans').choices(['JU', 'HASH']),
  ...terms,
]

export function addProjects(program: Command, run: Run): void {
  const group = program.command('project').description('loan products')
  const create = group.command('create').description('open a project for loans: the fund’s money is lent on its terms')
  for (const option of options) create.addOption(option)
  create.action((typed: Record<string, string>) =>
    run({ command: 'project create', signers: 2 }, typed, async (tx, now) => {
      const projectNo = systemIds({ now: () => now }).orderNumber()
      await createProject(tx, projectNo, readProject(typed), now)
      return { projectNo, createdAt: now }
    }),
  )
  const change = group
    .command('change')
    .description('give a project other terms; its loans keep those that they were made with')
    .argument('<number>')
  for (const option of terms) change.addOption(option)
  change.action((number: string, typed: Record<string, string>) =>
    run({ command: 'project change', signers: 2 }, { number, ...typed }, async (tx, now) => {
      const changed = await changeProject(tx, number, parsed(projectTerms.safeParse(typed)))
      if (!changed) throw new OperatorError(`there is no open project ${number}`)
      return { projectNo: number, changedAt: now }
    }),
  )
  group
    .command('close')
    .description('end lending of a project; its loans stay as they are')
    .argument('<number>')
    .action((number: string) =>
      run({ command: 'project close', signers: 1 }, { number }, async (tx, now) => {
        if (!(await closeProject(tx, number, now))) throw new OperatorError(`there is no open project ${number}`)
        return { projectNo: number, closedAt: now }
      }),
    )
  group
    .command('picture')
    .description('show another picture of a project; its origin must be in IMAGE_ORIGINS')
    .argument('<number>')
    .argument('<url>', 'https, or none')
    .action((number: string, typed: string) => {
      const url = readPictureUrl(typed)
      return run({ command: 'project picture', signers: 1 }, { number, url }, async (tx, now) => {
        if (!(await setProjectPicture(tx, number, url))) throw new OperatorError(`there is no project ${number}`)
        return { projectNo: number, picture: url, changedAt: now }
      })
    })
  group.command('list').action(() =>
    run({ command: 'project list', signers: 0 }, {}, async (tx) => {
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
    }),
  )
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
