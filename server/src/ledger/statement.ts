import { sql } from 'kysely'
import { queryRows } from '../db/query-rows.ts'
import { z } from 'zod'
import type { Database } from '../db/open.ts'
import { cursorCodec } from '../db/cursor.ts'
import { makePage, type Page } from '../db/page.ts'
import type { AccountId } from './chart.ts'
import { type KindAndMemo, parseMemo } from './memos.ts'

/** One entry of an account with the posting it belongs to. */
export type StatementLine = {
  account: AccountId
  /** Base units, signed: what the account gained. */
  amount: bigint
  /** After this entry; null for rolled-up accounts. */
  balance: bigint | null
  postingId: string
  /** Its place in the posting, from 1. */
  line: number
  occurredAt: Date
} & KindAndMemo

export type StatementQuery = {
  accounts: readonly AccountId[]
  /** 1 to 100. */
  limit: number
  /** `nextCursor` of the page before. */
  cursor: string | undefined
  /** Only these kinds; all when absent. */
  kinds?: readonly string[] | undefined
  /** From this time on, and before that one. */
  since?: Date | undefined
  before?: Date | undefined
}

/** An entry as it is stored, with its place: entries of one account are recorded in the order of `posting`. */
export const lineRow = z.object({
  account: z.bigint(),
  amount: z.bigint(),
  balance: z.bigint().nullable(),
  posting: z.bigint(),
  line: z.number(),
  postingId: z.string(),
  kind: z.string(),
  memo: z.unknown(),
  occurredAt: z.date(),
})
export type LineRow = z.infer<typeof lineRow>

/** A stored line with its memo read. @throws AssertionFailed for a kind that was never posted */
export const readLine = ({
  account,
  amount,
  balance,
  postingId,
  line,
  kind,
  memo,
  occurredAt,
}: LineRow): StatementLine => ({
  account,
  amount,
  balance,
  postingId,
  line,
  occurredAt,
  ...parseMemo(kind, memo),
})

/** Posting and line. */
const place = cursorCodec('id', 'count')

/**
 * Entries of the accounts in one timeline, newest first. Pages are stable: what is posted later appears only before the
 * first page.
 * @throws AppError 400 for a cursor that is not ours.
 */
export async function statement(db: Database, query: StatementQuery): Promise<Page<StatementLine>> {
  const [posting, line] = place.parse(query.cursor) ?? beyondAll
  // Each account is read from its own index range, newest first, and only the heads are merged.
  const rows = await queryRows(
    db,
    lineRow,
    sql`
    select recent.*
    from unnest(${query.accounts}::bigint[]) as wanted(account)
    cross join lateral (
      select e.account, e.amount, e.balance, e.posting, e.line,
        p.id as "postingId", p.kind, p.memo, p.occurred_at as "occurredAt"
      from ledger_entry e join ledger_posting p on p.seq = e.posting
      where e.account = wanted.account
        and (e.posting, e.line) < (${posting}::bigint, ${line}::integer)
        and (${query.kinds ?? null}::text[] is null or p.kind = any (${query.kinds ?? null}::text[]))
        and p.occurred_at >= coalesce(${query.since ?? null}::timestamptz, '-infinity')
        and p.occurred_at < coalesce(${query.before ?? null}::timestamptz, 'infinity')
      order by e.posting desc, e.line desc
      limit ${query.limit + 1}
    ) recent
    order by recent.posting desc, recent.line desc
    limit ${query.limit + 1}`,
  )
  return makePage(place, rows, query.limit, { place: (row) => [row.posting, row.line], toItem: readLine })
}

const beyondAll = [2n ** 63n - 1n, 0] as const
