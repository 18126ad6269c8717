import { sql } from 'kysely'
import { z } from 'zod'
import { queryRows } from '../../db/query-rows.ts'
import type { Tx } from '../../db/open.ts'
import { must } from '../../kernel/assert.ts'

const BATCH = 200_000

const markRow = z.object({ counted: z.bigint(), next: z.bigint(), ended: z.boolean() })
const nowRow = z.object({ now: z.date() })
const lastRow = z.object({ postings: z.bigint(), last: z.bigint().nullable() })

/**
 * Stores in `ledger_day` the first and the last posting of each day, by the times that postings tell and by those of booking, up to the
 * posting below which no transaction can add one any more. That limit is the one that the run before has noted, once every transaction of that time has ended: those of
 * another cluster, from which a dump came, have all ended.
 * Everything that is booked before the time of that run is final then: whoever reads the mark sees all of it.
 * Several runs at once come one after the other.
 * @returns how many postings were counted; `BATCH` at most
 */
export async function countDays(tx: Tx, batch = BATCH): Promise<number> {
  // Before the statement that notes which transactions there are: the ones that it does not see book later than that.
  const times = await queryRows(tx, nowRow, sql`with noted as (select ledger_note_time() as now) select now from noted`)
  const { now } = must(times[0], 'a function answers')
  const marks = await queryRows(
    tx,
    markRow,
    sql`
    select booked_counted as counted, next, cluster is distinct from system_identifier
      or next_after <= pg_snapshot_xmin(pg_current_snapshot())::text::bigint as ended
    from ledger_day_mark, pg_control_system() for update of ledger_day_mark`,
  )
  const { counted, next, ended } = must(marks[0], 'the mark has one row')
  if (!ended) return 0
  const [found] = await queryRows(
    tx,
    lastRow,
    sql`
    with due as materialized (
      select seq, occurred_at, booked_at from ledger_posting
      where seq > ${counted} and seq <= ${next} order by seq limit ${batch}
    ),
    noted as (
      insert into ledger_day as d (day, first_seq, last_seq)
      select day, min(seq), max(seq)
      from due cross join lateral (values (occurred_at), (coalesce(booked_at, occurred_at))) as told(at)
      cross join lateral (select (told.at at time zone 'UTC')::date as day) of_time
      group by day order by day
      on conflict (day) do update set
        first_seq = least(d.first_seq, excluded.first_seq), last_seq = greatest(d.last_seq, excluded.last_seq)
    )
    select count(*) as postings, max(seq) as last from due`,
  )
  const postings = Number(found?.postings ?? 0n)
  if (postings === batch)
    await sql`update ledger_day_mark set counted = ${found?.last}, booked_counted = ${found?.last}`.execute(tx)
  // A transaction gets its number when it locks accounts, which is before its batch draws numbers from the sequence.
  else {
    await sql`
      update ledger_day_mark set counted = ${next}, booked_counted = ${next},
        final_before = greatest(final_before, next_final), next_final = ${now},
        next = (select last_value from ledger_batch_seq) * 16384 + 16383,
        next_after = pg_snapshot_xmax(pg_current_snapshot())::text::bigint,
        cluster = (select system_identifier from pg_control_system())`.execute(tx)
  }
  return postings
}
