import { codes } from '@candela/protocol/codes'
import { sql } from 'kysely'
import { queryRows } from '../db/query-rows.ts'
import { z } from 'zod'
import type { Database } from '../db/open.ts'
import { AppError } from '../kernel/errors.ts'
import type { AccountId } from './chart.ts'

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
  kind: string
  memo: unknown
  occurredAt: Date
}

export type StatementQuery = {
  accounts: readonly AccountId[]
  /** 1 to 100. */
  limit: number
  /** `nextCursor` of the page before. */
  cursor?: string | undefined
  /** Only these kinds; all when absent. */
  kinds?: readonly string[] | undefined
  /** From this time on, and before that one. */
  since?: Date | undefined
  before?: Date | undefined
}

export type StatementPage = { items: StatementLine[]; nextCursor: string | null }

/** An entry as it is read, with its place: entries of one account are recorded in the order of `posting`. */
export const placedLine = z.object({
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

/**
 * Entries of the accounts in one timeline, newest first. Pages are stable: what is posted later appears only before the
 * first page.
 * @throws AppError 400 for a cursor that is not ours.
 */
export async function statement(db: Database, query: StatementQuery): Promise<StatementPage> {
  const [posting, line] = readCursor(query.cursor)
  // Each account is read from its own index range, newest first, and only the heads are merged.
  const rows = await queryRows(
    db,
    placedLine,
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
  const page = rows.slice(0, query.limit)
  const last = page.at(-1)
  return {
    items: page.map(({ posting: _posting, ...item }) => item),
    nextCursor: rows.length > query.limit && last ? `${last.posting}.${last.line}` : null,
  }
}

const beyondAll = [2n ** 63n - 1n, 0] as const

function readCursor(cursor: string | undefined): readonly [bigint, number] {
  if (cursor === undefined) return beyondAll
  const match = /^(\d{1,18})\.(\d{1,9})$/.exec(cursor)
  if (!match) throw new AppError(codes.invalidInput, { field: 'cursor' })
  return [BigInt(match[1] ?? ''), Number(match[2])]
}
