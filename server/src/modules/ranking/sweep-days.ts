import { DAY_MS } from '@candela/protocol/units'
import { sql } from 'kysely'
import type { Tx } from '../../db/open.ts'

const KEEP_DAYS = 7

/** Deletes at most `limit` rows of the lists of days that are not shown any more. @returns how many */
export async function sweepRankings(tx: Tx, now: Date, limit: number): Promise<number> {
  const before = new Date(now.getTime() - KEEP_DAYS * DAY_MS).toISOString().slice(0, 10)
  const { numAffectedRows } = await sql`
    delete from performance_day where (day, member_id) in (
      select day, member_id from performance_day where day < ${before}::date order by day, member_id limit ${limit}
    )`.execute(tx)
  // The groups of a day: some thousand rows at most.
  await sql`delete from performance_count where board <> 'all' and board < ${before}`.execute(tx)
  return Number(numAffectedRows)
}
