import { transaction, type Tx } from '../../../../db/open.ts'
import { chargeChunk } from './charge-chunk.ts'
import { chargeLate } from './charge-late.ts'
import type { DailyDeps } from './deps.ts'
import { remind } from './remind.ts'

/** Loans charged in one transaction: they are locked for as long as it takes. */
const CHUNK = 2_000

/**
 * Charges the interest of a UTC day to every open loan, late charges to those that are late, and tells of what comes due
 * and what is late. May be killed at any instant and run any number of times, also at the same time: nothing is done
 * twice.
 * @throws AggregateError when single loans failed; the day is done for all others then
 */
export async function chargeDay(deps: DailyDeps, day: string, now: Date): Promise<void> {
  const { db } = deps
  await db
    .insertInto('loan_day')
    .values({ day, opened_at: now, closed_at: null })
    .onConflict((conflict) => conflict.column('day').doNothing())
    .execute()
  while (await transaction(db, (tx) => chargeNext(tx, deps, day, now)));
  const failures = await chargeLate(deps, day, now)
  while (await transaction(db, (tx) => remind(tx, day, now)));
  await db
    .updateTable('loan_day')
    .set({ closed_at: now })
    .where('day', '=', day)
    .where('closed_at', 'is', null)
    .execute()
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} loans could not be charged for ${day}`)
}

/** @returns false when no loan was left */
async function chargeNext(tx: Tx, deps: DailyDeps, day: string, now: Date): Promise<boolean> {
  const progress = await tx
    .selectFrom('loan_day')
    .selectAll()
    .where('day', '=', day)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (progress.closed_at !== null) return false
  const after = progress.to_loan
  const { last, loans, interest } = await chargeChunk(tx, { day, after, chunk: deps.chunk ?? CHUNK, now })
  if (last === null) return false
  await tx
    .updateTable('loan_day')
    .set({ to_loan: last, loans: progress.loans + loans, interest: progress.interest + interest })
    .where('day', '=', day)
    .execute()
  return true
}
