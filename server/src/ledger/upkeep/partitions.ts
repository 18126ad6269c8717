import { sql } from 'kysely'
import { z } from 'zod'
import { queryRows } from '../../db/query-rows.ts'
import { type Database, sqlState, transaction } from '../../db/open.ts'
import { must } from '../../kernel/assert.ts'

/**
 * Entries that a partition of `ledger_entry` is meant to hold: its index by account has about 700 MB then, which stays in memory, and a hundred
 * million entries are ten partitions, each of which a read of a quiet account looks into.
 */
const ENTRIES = 10_000_000
/** Partitions that wait behind the one that is written: a bounded one, and the last one, which has no end. */
export const PARTITIONS_AHEAD = 2
/** Numbers of postings are batch × this + place: see migrations/0001_ledger.sql. */
const POSTINGS_PER_BATCH = 16_384n
/**
 * Entries of a batch: what a part of a day's close has, and as many as a busy service's batches have. A quiet year has two a batch, which says nothing
 * of the next: a partition that is made in it is too small by then, and not too large by hundreds of times.
 */
const [USUAL, LARGEST] = [100, 10_000]

const stateRow = z.object({ last: z.bigint(), end: z.bigint(), ahead: z.bigint(), entries: z.bigint() })

/** The last number drawn; where the last partition begins; how many begin above that number; about how many entries there are. */
async function readState(db: Database) {
  const rows = await queryRows(
    db,
    stateRow,
    sql`
    with drawn as (
      select (case when is_called then last_value else 0 end + 1) * ${POSTINGS_PER_BATCH}::bigint - 1 as last from ledger_batch_seq
    )
    select drawn.last, max(p.first_posting) as end, count(*) filter (where p.first_posting > drawn.last) as ahead,
      (select coalesce(sum(greatest(c.reltuples, 0)), 0)::bigint from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent = 'ledger_entry'::regclass) as entries
    from drawn cross join ledger_partition p group by drawn.last`,
  )
  return must(rows[0], 'there is a part')
}

/** How many partitions wait behind the one that is written; 0 when the one without an end is written. */
export const partitionsAhead = async (db: Database): Promise<number> => Number((await readState(db)).ahead)

/**
 * Makes partitions until enough wait behind the one that is written. Each is as wide as is needed for its entries by what the batches
 * up to now have had. Posting goes on without it: the last partition has no end.
 * @returns how many were made; fewer than needed when those who read and post did not leave the table for an instant
 */
export async function addPartitions(db: Database, entries = ENTRIES): Promise<number> {
  for (let made = 0; ; made += 1) {
    const state = await readState(db)
    if (state.ahead >= PARTITIONS_AHEAD) return made
    const batches = Number(state.last / POSTINGS_PER_BATCH) + 1
    const each = Math.min(LARGEST, Math.max(USUAL, Number(state.entries) / batches))
    const width = BigInt(Math.ceil(entries / each)) * POSTINGS_PER_BATCH
    // A last part that is written already goes on for as much again: numbers are drawn until it ends.
    const begin = (state.last > state.end ? state.last + 1n : state.end) + width
    if (!(await addOne(db, begin))) return made
  }
}

async function addOne(db: Database, begin: bigint): Promise<boolean> {
  try {
    await transaction(db, (tx) => sql`select ledger_add_partition(${begin}::bigint)`.execute(tx), { attempts: 1 })
    return true
  } catch (error) {
    if (sqlState(error) === '55P03') return false
    throw error
  }
}
