import { DAY_MS } from '@candela/protocol/units'
import { sql } from 'kysely'
import { z } from 'zod'
import { readFollowedHead } from '../../chain/follow/followed-block.ts'
import { must } from '../../kernel/assert.ts'
import type { Database, Tx } from '../../db/open.ts'
import { queryRows } from '../../db/query-rows.ts'

/** How long an announcement that nobody paid stays after it has lapsed. What is paid later is a deposit that was not announced. */
const KEPT_MS = 30 * DAY_MS

const countRow = z.object({ count: z.bigint() })

/**
 * Deletes announcements that nobody paid, by the chain's time. Goes on behind those that were looked at before, so that what was paid is
 * looked at once. One that a payment names which is not decided yet stays.
 * @returns how many were looked at: about `limit` where there are so many, and more of the same instant
 */
export async function sweepAnnouncements(tx: Tx, limit: number): Promise<number> {
  const head = await readFollowedHead(tx)
  if (head === null || head.at === null) return 0
  const before = new Date(head.at.getTime() - KEPT_MS)
  const rows = await queryRows(
    tx,
    countRow,
    sql`
    with mark as materialized (select up_to from deposit_sweep for update),
    looked as materialized (
      select id, deposit_no, lapses_at from deposit
      where lapses_at > (select up_to from mark) and lapses_at < ${before}
      order by lapses_at fetch first ${limit} rows with ties
    ),
    deleted as (
      delete from deposit d using looked
      where d.id = looked.id and not exists (select from deposit_receipt r where r.deposit_id = looked.id)
        and not exists (select from chain_payment e
          where e.action = 'deposit' and e.reference = looked.deposit_no and e.state = 'recorded')
    ),
    noted as (
      update deposit_sweep set up_to = (select max(lapses_at) from looked) where exists (select from looked)
    )
    select count(*) as count from looked`,
  )
  return Number(must(rows[0], 'a count is one row').count)
}

/** How many announcements there are that nobody paid; counted among the `most` that will lapse, or lapsed, first. */
export async function countUnpaidAnnouncements(db: Database, most: number): Promise<number> {
  const rows = await queryRows(
    db,
    countRow,
    sql`
    select count(*) as count from (
      select id from deposit where lapses_at > (select up_to from deposit_sweep) order by lapses_at limit ${most}
    ) d where not exists (select from deposit_receipt r where r.deposit_id = d.id)`,
  )
  return Number(must(rows[0], 'a count is one row').count)
}
