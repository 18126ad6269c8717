import type { Database } from '../../db/open.ts'

/** True while the last comparison has paused withdrawals, or crediting is halted and the books may be about to change. */
export async function arePayoutsPaused(db: Database): Promise<boolean> {
  const last = await readLastReconciliation(db)
  if (last?.paused === true) return true
  const cursor = await db.selectFrom('chain_cursor').select('halted_reason').executeTakeFirst()
  return cursor !== undefined && cursor.halted_reason !== null
}

export type LastReconciliation = {
  id: bigint
  block_number: bigint
  block_at: Date | null
  at: Date
  paused: boolean
  finding: string | null
}

/** The newest comparison; undefined before the first. */
export function readLastReconciliation(db: Database): Promise<LastReconciliation | undefined> {
  return db
    .selectFrom('reconciliation')
    .select(['id', 'block_number', 'block_at', 'at', 'paused', 'finding'])
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
