import { codes } from '@candela/protocol/codes/codes'
import type { Offer } from '@candela/protocol/lending/assets'
import type { Selectable } from 'kysely'
import type { Database, Tx } from '../../../db/open.ts'
import type { Tables } from '../../../db/tables/index.ts'
import { AppError } from '../../../kernel/errors.ts'

export type Project = Selectable<Tables['project']>

/** A project, also when it is closed. @throws AppError 404 */
export async function readProject(db: Database, projectNo: string): Promise<Project> {
  const row = await db.selectFrom('project').selectAll().where('project_no', '=', projectNo).executeTakeFirst()
  if (row === undefined) throw new AppError(codes.notFound)
  return row
}

/**
 * The same under its lock: until the transaction ends nobody else lends from it. Loans are locked before, the fund after.
 * @throws AppError 404
 */
export async function lockProject(tx: Tx, projectNo: string): Promise<Project> {
  const row = await tx
    .selectFrom('project')
    .selectAll()
    .where('project_no', '=', projectNo)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (row === undefined) throw new AppError(codes.notFound)
  return row
}

/** Changes what a project has lent by `principal`, and adds `interest` to what its loans were charged. USDT base units. */
export async function addLent(
  tx: Tx,
  projectId: bigint,
  { principal, interest }: { principal: bigint; interest: bigint },
): Promise<void> {
  if (principal === 0n && interest === 0n) return
  await tx
    .updateTable('project')
    .set((row) => ({
      borrowed: row('borrowed', '+', principal),
      interest_earned: row('interest_earned', '+', interest),
    }))
    .where('id', '=', projectId)
    .execute()
}

/** Reads what the open projects lend now, for the credit limit of an account. */
export async function readOffers(db: Database): Promise<Offer[]> {
  const rows = await db.selectFrom('project').selectAll().where('closed_at', 'is', null).execute()
  return rows.map((row) => ({
    collateralAsset: row.collateral_asset,
    initial_ppm: BigInt(row.initial_ppm),
    available: row.total - row.borrowed,
  }))
}
