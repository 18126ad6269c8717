import { codes } from '@candela/protocol/codes/codes'
import type { Data } from '@candela/protocol/endpoints'
import { type ProjectItem } from '@candela/protocol/endpoints/project'
import { loanTerms } from '@candela/protocol/lending/choices'
import { fromBaseUnits } from '@candela/protocol/money/money'
import type { Selectable } from 'kysely'
import { chargesOf, describeCharges, minLoanOf, rateText } from '../../../db/lending-settings.ts'
import type { Database } from '../../../db/open.ts'
import { readSettings, type Settings } from '../../../db/settings.ts'
import type { Tables } from '../../../db/tables/index.ts'
import { AppError } from '../../../kernel/errors.ts'
import { readFundIdle } from '../../fund/read-fund.ts'
import { type Ceilings, readCeilings } from './ceiling.ts'

/** Projects that lend now, the first one first. */
export async function listProjects(db: Database, now: Date): Promise<Data<'GET project/list'>> {
  const [rows, settings, idle] = await Promise.all([
    db.selectFrom('project').selectAll().where('closed_at', 'is', null).orderBy('id').execute(),
    readSettings(db),
    readFundIdle(db),
  ])
  const ceilings = await readCeilings(db, settings, now)
  return { items: rows.map((row) => describeProject(row, settings, idle, ceilings)) }
}

/** @throws AppError 404 */
export async function getProject(db: Database, projectNo: string, now: Date): Promise<Data<'GET project/detail'>> {
  const row = await db.selectFrom('project').selectAll().where('project_no', '=', projectNo).executeTakeFirst()
  if (row === undefined) throw new AppError(codes.notFound)
  const [settings, idle] = await Promise.all([readSettings(db), readFundIdle(db)])
  const ceilings = await readCeilings(db, settings, now)
  return { project: describeProject(row, settings, idle, ceilings) }
}

function describeProject(
  row: Selectable<Tables['project']>,
  settings: Settings,
  fundIdle: bigint,
  ceilings: Ceilings,
): ProjectItem {
  const ceiling = ceilings[row.collateral_asset]
  const left = [row.total - row.borrowed, fundIdle, ceiling.all - ceiling.owed].reduce((one, other) =>
    other < one ? other : one,
  )
  const open = row.closed_at === null
  return {
    projectNo: row.project_no,
    name: row.name,
    information: row.information,
    picture: row.picture_url,
    collateralAsset: row.collateral_asset,
    total: fromBaseUnits(row.total),
    borrowed: fromBaseUnits(row.borrowed),
    available: fromBaseUnits(open && left > 0n ? left : 0n),
    ceiling: {
      depth: ceiling.depth === null ? null : fromBaseUnits(ceiling.depth.usdt),
      observedSince: ceiling.depth?.since.toISOString() ?? null,
      all: fromBaseUnits(ceiling.all),
      member: fromBaseUnits(ceiling.member),
      owed: fromBaseUnits(ceiling.owed),
    },
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
