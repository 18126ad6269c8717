import type { Database } from '../../db/open.ts'
import { readSettings } from '../../db/settings.ts'

/**
 * Why nothing goes out now, in words for the operator; null when nothing speaks against it: the last comparison has
 * paused withdrawals, crediting is halted and the books may be about to change, or nobody knows whether the books and the
 * chain are equal, because no comparison has found that lately.
 */
export async function readPauseReason(db: Database, now: Date): Promise<string | null> {
  const last = await readLastReconciliation(db)
  if (last?.paused === true) return 'the books and the chain differ'
  const cursor = await db.selectFrom('chain_cursor').select('halted_reason').executeTakeFirst()
  if (cursor !== undefined && cursor.halted_reason !== null) return 'crediting is halted'
  const { reconcileMaxAgeMinutes } = await readSettings(db)
  const age_s = await readAgreementAge(db, now)
  if (age_s !== null && age_s <= reconcileMaxAgeMinutes * 60) return null
  return `no comparison of the last ${reconcileMaxAgeMinutes} minutes has found the books and the chain equal`
}

/** Seconds since a comparison found nothing for which payouts would have to wait; null when none ever did. */
export async function readAgreementAge(db: Database, now: Date): Promise<number | null> {
  const equal = await db
    .selectFrom('reconciliation')
    .select('at')
    .where('agrees', '=', true)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return equal === undefined ? null : (now.getTime() - equal.at.getTime()) / 1000
}

export type LastReconciliation = { id: bigint; block_number: bigint; at: Date; paused: boolean; finding: string | null }

/** The newest comparison; undefined before the first. */
export function readLastReconciliation(db: Database): Promise<LastReconciliation | undefined> {
  return db
    .selectFrom('reconciliation')
    .select(['id', 'block_number', 'at', 'paused', 'finding'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** What a comparison found, asset by asset. Base units. */
export const readLines = (db: Database, reconciliationId: bigint) =>
  db
    .selectFrom('reconciliation_line')
    .select(['asset', 'expected', 'found'])
    .where('reconciliation_id', '=', reconciliationId)
    .orderBy('asset')
    .execute()
