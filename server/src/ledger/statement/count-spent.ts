import type { PostingKind } from '@candela/protocol/posting-kinds'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '../../db/open.ts'
import { queryRows } from '../../db/query-rows.ts'
import type { AccountId } from '../chart.ts'
import { spansOf } from './time-spans.ts'

/** An account, and from when on its entries count. */
export type SpentQuery = { account: AccountId; since: Date }

const countRow = z.object({ spent: z.bigint() })

/**
 * For each account, in order: how many postings of a kind took something from it since a time. Only as many of its newest
 * entries of that kind are looked at, whether they gave or took.
 */
export async function countSpent(
  db: Database,
  queries: readonly SpentQuery[],
  { kind, newest }: { kind: PostingKind; newest: number },
): Promise<number[]> {
  const first = new Date(Math.min(...queries.map(({ since }) => since.getTime())))
  const spans = await spansOf(db, first, undefined)
  // The newest is first.
  const from = spans.at(-1)?.from ?? 0n
  const rows = await queryRows(
    db,
    countRow,
    sql`select spent from ledger_spent_count(${queries.map(({ account }) => account)}::bigint[],
      ${queries.map(({ since }) => since.toISOString())}::timestamptz[], ${kind}, ${from}::bigint, ${newest}::integer)`,
  )
  return rows.map(({ spent }) => Number(spent))
}
