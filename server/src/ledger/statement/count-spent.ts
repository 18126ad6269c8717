import type { PostingKind } from '@candela/protocol/posting-kinds'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '../../db/open.ts'
import { queryRows } from '../../db/query-rows.ts'
import type { AccountId } from '../chart.ts'
import { spansOf } from './time-spans.ts'

/** An account, and from when on its entries count. */
export type Counted = { account: AccountId; since: Date }

const countRow = z.object({ spent: z.bigint() })

/**
 * For each account, in order: how many postings of a kind took something from it since a time. Only as many of its newest
 * entries of that kind are looked at, whether they gave or took.
 */
export async function countSpent(
  db: Database,
  counted: readonly Counted[],
  { kind, newest }: { kind: PostingKind; newest: number },
): Promise<number[]> {
  const first = new Date(Math.min(...counted.map(({ since }) => since.getTime())))
  const spans = await spansOf(db, first, undefined)
  const from = spans.reduce((least, span) => (span.from < least ? span.from : least), spans[0]?.from ?? 0n)
  const rows = await queryRows(
    db,
    countRow,
    sql`select spent from ledger_spent_count(${counted.map(({ account }) => account)}::bigint[],
      ${counted.map(({ since }) => since.toISOString())}::timestamptz[], ${kind}, ${from}::bigint, ${newest}::integer)`,
  )
  return rows.map(({ spent }) => Number(spent))
}
