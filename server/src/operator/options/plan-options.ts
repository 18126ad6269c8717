import { OperatorError } from '../../kernel/errors.ts'
import { Option } from 'commander'
import type { Tx } from '../../db/open.ts'
import { parseSetting, readSettings } from '../../db/settings.ts'
import { newPlan, type NewPlan } from '../../modules/power/plans/manage-plans.ts'

const required = (flags: string, description: string): Option => new Option(flags, description).makeOptionMandatory()

/** The options of `plan create`. All values arrive as texts. */
export const planOptions: readonly Option[] = [
  required('--name-zh <text>', 'name in simplified Chinese'),
  required('--name-tw <text>', 'name in traditional Chinese'),
  required('--name-en <text>', 'name in English'),
  required('--description-zh <text>', 'description in simplified Chinese'),
  required('--description-tw <text>', 'description in traditional Chinese'),
  required('--description-en <text>', 'description in English'),
  required('--unit-price <usdt>', 'USDT per unit, such as 25 or 12.5'),
  required('--term-days <days>', 'how many UTC days a bought unit earns'),
  required('--min-units <units>', 'least units of one order'),
  required('--max-units <units>', 'most units of one order'),
  required('--total-units <units>', 'units that the plan sells in all'),
  new Option('--unit <name>', 'name of the unit').default('T'),
  new Option('--service-fee-ppm <ppm>', 'millionths of the output that the platform keeps (default: the setting)'),
]

/** Reads the options of `plan create`. @throws OperatorError that names the first option that is wrong */
export async function readPlan(tx: Tx, options: Readonly<Record<string, string>>): Promise<NewPlan> {
  const { serviceFeePpm: fee } = options
  const parsed = newPlan.safeParse({
    name: { zh: options['nameZh'], tw: options['nameTw'], en: options['nameEn'] },
    description: { zh: options['descriptionZh'], tw: options['descriptionTw'], en: options['descriptionEn'] },
    unit: options['unit'],
    unitPrice: options['unitPrice'],
    termDays: options['termDays'],
    minUnits: options['minUnits'],
    maxUnits: options['maxUnits'],
    totalUnits: options['totalUnits'],
    serviceFeePpm: fee === undefined ? (await readSettings(tx)).serviceFeePpm : parsePpm(fee),
  })
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new OperatorError(`${flagOf(issue?.path ?? [])}: ${issue?.message ?? 'is wrong'}`)
}

function parsePpm(text: string): number {
  try {
    return parseSetting('serviceFeePpm', text)
  } catch (error) {
    throw new OperatorError(`--service-fee-ppm must be a whole number from 0 to 1000000, not "${text}"`, {
      cause: error,
    })
  }
}

/** ['name', 'zh'] was --name-zh, ['unitPrice'] was --unit-price. */
export const flagOf = (path: readonly PropertyKey[]): string =>
  `--${path
    .map(String)
    .join('-')
    .replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
