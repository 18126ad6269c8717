import { HOUR_MS } from '@candela/protocol/units'
import { sql } from 'kysely'
import type { Tx } from '../../db/open.ts'

/** A quote that nobody used is kept for an hour after it ended. */
const KEPT_MS = HOUR_MS

/** Deletes at most `limit` quotes that are over and were not used. @returns how many */
export async function sweepQuotes(tx: Tx, now: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from exchange_quote where id in (
      select q.id from exchange_quote q
      where q.expires_at < ${new Date(now.getTime() - KEPT_MS)}
        and not exists (select from exchange e where e.quote_id = q.id)
      limit ${limit}
    ) returning id`.execute(tx)
  return rows.length
}
