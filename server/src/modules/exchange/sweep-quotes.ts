import { HOUR_MS } from '@candela/protocol/units'
import { sql } from 'kysely'
import { z } from 'zod'
import { queryRows } from '../../db/query-rows.ts'
import type { Tx } from '../../db/open.ts'
import { must } from '../../kernel/assert.ts'

/** A quote that nobody used is kept for an hour after it ended. */
const KEPT_MS = HOUR_MS

const sweptRow = z.object({ looked: z.bigint() })

/**
 * Deletes quotes that are over and were not used. Goes on behind those that were looked at before, so that what was used is looked at once and
 * not each time.
 * @returns how many were looked at: about `limit` where there are so many, and more of the same instant
 */
export async function sweepQuotes(tx: Tx, now: Date, limit: number): Promise<number> {
  const before = new Date(now.getTime() - KEPT_MS)
  const rows = await queryRows(
    tx,
    sweptRow,
    sql`
    with mark as materialized (select up_to from exchange_quote_sweep for update),
    looked as materialized (
      select id, expires_at from exchange_quote
      where expires_at > (select up_to from mark) and expires_at < ${before}
      order by expires_at fetch first ${limit} rows with ties
    ),
    deleted as (
      delete from exchange_quote q using looked
      where q.id = looked.id and not exists (select from exchange e where e.quote_id = looked.id)
    ),
    noted as (
      update exchange_quote_sweep set up_to = (select max(expires_at) from looked) where exists (select from looked)
    )
    select count(*) as looked from looked`,
  )
  return Number(must(rows[0], 'a count is one row').looked)
}
