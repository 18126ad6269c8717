import { sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '../db/open.ts'
import { queryRows } from '../db/query-rows.ts'
import { must } from '../kernel/assert.ts'
import { parseMemo } from './memos.ts'
import type { Posting } from './post.ts'

const postedRow = z.object({
  id: z.string(),
  kind: z.string(),
  memo: z.unknown(),
  occurred_at: z.date(),
  legs: z.array(z.bigint()),
})

/** Finds the postings that the ledger has of these ids, as they were posted. */
export async function findPostings(db: Database, ids: readonly string[]): Promise<Map<string, Posting>> {
  if (ids.length === 0) return new Map()
  const rows = await queryRows(
    db,
    postedRow,
    // Debit, credit and amount of each leg, one after the other.
    sql`
    select id, kind, memo, occurred_at, (select array_agg(figure) from unnest(ledger_legs(seq)) as figure) as legs
    from ledger_posting where id = any (${ids}::uuid[])`,
  )
  return new Map(rows.map((row) => [row.id, readPosting(row)]))
}

function readPosting({ id, kind, memo, occurred_at, legs }: z.output<typeof postedRow>): Posting {
  const figure = (place: number): bigint => must(legs[place], `posting ${id} has whole legs`)
  const read = Array.from({ length: legs.length / 3 }, (_, nth) => ({
    debit: figure(3 * nth),
    credit: figure(3 * nth + 1),
    amount: figure(3 * nth + 2),
  }))
  // The kind decides the form of the memo; the compiler does not follow this.
  return { id, ...parseMemo(kind, memo), legs: read, occurredAt: occurred_at } as Posting
}
