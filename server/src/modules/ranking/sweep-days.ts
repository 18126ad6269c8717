import { DAY_MS } from '@candela/protocol/units'
import { sql } from 'kysely'
import type { Database } from '../../db/open.ts'

const KEEP_DAYS = 7

/** Deletes the lists of days that are not shown any more. @returns how many rows were deleted */
export async function sweepRankings(db: Database, now: Date): Promise<{ days: number }> {
  const before = new Date(now.getTime() - KEEP_DAYS * DAY_MS).toISOString().slice(0, 10)
  const days = await sql`delete from performance_day where day < ${before}::date`.execute(db)
  await sql`delete from performance_count where board <> 'all' and board < ${before}`.execute(db)
  return { days: Number(days.numAffectedRows ?? 0n) }
}
