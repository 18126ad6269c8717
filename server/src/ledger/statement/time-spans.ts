import { sql } from 'kysely'
import { z } from 'zod'
import { queryRows } from '../../db/query-rows.ts'
import type { Database } from '../../db/open.ts'
import { utcDay } from '@candela/protocol/calendar'

/** Postings from one to another, both counted. */
export type Span = { from: bigint; to: bigint }

export const EVERYTHING: Span = { from: 0n, to: 2n ** 63n - 1n }

const spanRow = z.object({
  counted: z.bigint(),
  first: z.bigint().nullable(),
  last: z.bigint().nullable(),
  isAdjacent: z.boolean(),
})

/**
 * The ranges of postings that can tell, or be booked at, a time from `since` on and before `before`, the newest first: the last postings, whose days
 * are not counted yet, and the range of those days; one range when nothing is between them. Other times occur there too.
 */
export async function spansOf(db: Database, since: Date | undefined, before: Date | undefined): Promise<Span[]> {
  if (since === undefined && before === undefined) return [EVERYTHING]
  const [found] = await queryRows(
    db,
    spanRow,
    sql`
    select m.booked_counted as counted, d.first, d.last,
      not exists (select from ledger_posting p where p.seq > d.last and p.seq <= m.booked_counted) as "isAdjacent"
    from ledger_day_mark m cross join (
      select min(first_seq) as first, max(last_seq) as last from ledger_day
      where day >= coalesce(${since === undefined ? null : utcDay(since)}::date, '-infinity')
        and day <= coalesce(${before === undefined ? null : utcDay(before)}::date, 'infinity')
    ) d`,
  )
  if (found === undefined) return [EVERYTHING]
  const { counted, first, last, isAdjacent } = found
  const uncounted = { from: counted + 1n, to: EVERYTHING.to }
  if (first === null || last === null) return [uncounted]
  return isAdjacent ? [{ from: first, to: EVERYTHING.to }] : [uncounted, { from: first, to: last }]
}
