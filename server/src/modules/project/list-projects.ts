import { codes } from '@candela/protocol/codes/codes'
import type { Data } from '@candela/protocol/endpoints'
import { type ProjectItem } from '@candela/protocol/endpoints/project'
import { loanTerms } from '@candela/protocol/credit/choices'
import { fromBaseUnits } from '@candela/protocol/money/money'
import type { Selectable } from 'kysely'
import { chargesOf, describeCharges, minLoanOf, rateText } from '../../db/credit-settings.ts'
import type { Database } from '../../db/open.ts'
import { readSettings, type Settings } from '../../db/settings.ts'
import type { Tables } from '../../db/tables/index.ts'
import { AppError } from '../../kernel/errors.ts'

export type ProjectDeps = {
  /** Money of the fund that is not lent, USDT base units. */
  readFundIdle: (db: Database) => Promise<bigint>
}

/** Projects that lend now, the first one first. */
export async function listProjects(db: Database, { readFundIdle }: ProjectDeps): Promise<Data<'GET project/list'>> {
  const [rows, settings, idle] = await Promise.all([
    db.selectFrom('project').selectAll().where('closed_at', 'is', null).orderBy('id').execute(),
    readSettings(db),
    readFundIdle(db),
  ])
  return { items: rows.map((row) => describeProject(row, settings, idle)) }
}

/** @throws AppError 404 */
export async function getProject(
  db: Database,
  { readFundIdle }: ProjectDeps,
  projectNo: string,
): Promise<Data<'GET project/detail'>> {
  const row = await db.selectFrom('project').selectAll().where('project_no', '=', projectNo).executeTakeFirst()
  if (row === undefined) throw new AppError(codes.notFound)
  const [settings, idle] = await Promise.all([readSettings(db), readFundIdle(db)])
  return { project: describeProject(row, settings, idle) }
}

function describeProject(row: Selectable<Tables['project']>, settings: Settings, fundIdle: bigint): ProjectItem {
  const left = row.total - row.borrowed
  const open = row.closed_at === null
  return {
    projectNo: row.project_no,
    name: row.name,
    information: row.information,
    picture: row.picture_url,
    collateralAsset: row.collateral_asset,
    total: fromBaseUnits(row.total),
    borrowed: fromBaseUnits(row.borrowed),
    available: fromBaseUnits(open ? (left < fundIdle ? left : fundIdle) : 0n),
    rate: rateText(row.rate_ppm),
    initialRate: rateText(row.initial_ppm),
    safetyLine: rateText(row.safety_ppm),
    clearingLine: rateText(row.clearing_ppm),
    minLoan: fromBaseUnits(minLoanOf(settings)),
    termDays: loanTerms.map(Number),
    interestEarned: fromBaseUnits(row.interest_earned),
    charges: describeCharges(chargesOf(settings)),
    open,
    createdAt: row.created_at.toISOString(),
  }
}
