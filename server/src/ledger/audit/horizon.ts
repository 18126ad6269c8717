import { sql } from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { queryRows } from '../../db/query-rows.ts'
import type { Database } from '../../db/open.ts'
import { must } from '../../kernel/assert.ts'

/** Numbers of postings are batch × this + place: see migrations/0001_ledger.sql. */
const POSTINGS_PER_BATCH = 16_384n
const POLL_MS = 50

const lastRow = z.object({ last: z.bigint() })
const holderRow = z.object({ holder: z.string() })

/**
 * Waits until no transaction can write a posting with a number at or below the returned one any more. Batches take
 * their numbers before they commit, so a lower number can appear after a higher one. A transaction that has taken a
 * number holds the journal's ordinary write lock until it ends. Takes no lock itself. Yields while it waits.
 */
export async function* settledUpTo(db: Database): AsyncGenerator<undefined, bigint> {
  const [row] = await queryRows(
    db,
    lastRow,
    sql`select case when is_called then last_value else 0 end as last from ledger_batch_seq`,
  )
  const { last } = must(row, 'a sequence has one row')
  let waitedFor = await readWriters(db)
  while (waitedFor.size > 0) {
    yield
    await sleep(POLL_MS)
    waitedFor = waitedFor.intersection(await readWriters(db))
  }
  return (last + 1n) * POSTINGS_PER_BATCH - 1n
}

/** The transactions that may be writing postings now. */
async function readWriters(db: Database): Promise<Set<string>> {
  const rows = await queryRows(
    db,
    holderRow,
    sql`
    select virtualtransaction as holder from pg_locks
    where relation = 'ledger_posting'::regclass and mode = 'RowExclusiveLock' and granted
      and database = (select oid from pg_database where datname = current_database())`,
  )
  return new Set(rows.map(({ holder }) => holder))
}
