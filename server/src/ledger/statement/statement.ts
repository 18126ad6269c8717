import { sql } from 'kysely'
import { queryRows } from '../../db/query-rows.ts'
import { z } from 'zod'
import type { Database } from '../../db/open.ts'
import { cursorCodec } from '../../db/cursor.ts'
import { makePage, type Page } from '../../db/page.ts'
import { EVERYTHING, spansOf } from './time-spans.ts'
import type { PostingKind } from '@candela/protocol/posting-kinds'
import type { AccountId } from '../chart.ts'
import { type KindAndMemo, parseMemo } from '../memos.ts'

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
  /** When it happened, by its block: the value date. */
  occurredAt: Date
  /** When it was recorded: entries of an account are booked in their order. */
  bookedAt: Date
} & KindAndMemo

export type StatementQuery = {
  accounts: readonly AccountId[]
  /** 1 to 100. */
  limit: number
  /** `nextCursor` of the page before. */
  cursor: string | undefined
  /** Only these kinds. */
  kinds: readonly PostingKind[]
  /** Booked from this time on, and before that one. */
  since?: Date | undefined
  before?: Date | undefined
  /** Up to this posting, counted. */
  upTo?: bigint | undefined
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
  bookedAt: z.date(),
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
  bookedAt,
}: LineRow): StatementLine => ({
  account,
  amount,
  balance,
  postingId,
  line,
  occurredAt,
  bookedAt,
  ...parseMemo(kind, memo),
})

/** Posting and line. */
const place = cursorCodec('id', 'count')
type Place = readonly [posting: bigint, line: number]

/**
 * Entries of the accounts in one timeline, newest first. Pages are stable: what is posted later appears only before the
 * first page. With `since` or `before` a page may be short, even empty, and still have a next one: no call reads more
 * than a bounded number of entries that it does not show.
 * @throws AppError 400 for a cursor that is not ours.
 */
export async function statement(db: Database, query: StatementQuery): Promise<Page<StatementLine>> {
  const { since, before, upTo, limit } = query
  const start = earlier(place.parse(query.cursor) ?? beyondAll, upTo === undefined ? beyondAll : [upTo + 1n, 0])
  const found: LineRow[] = []
  let toRead = Math.max(limit + 1, since === undefined && before === undefined ? 0 : MAX_PASSED_OVER)
  // Twice as many are read for as long as nothing is found, so that few statements pass over many entries. The rest of a day
  // comes before the first entry of an earlier time of it.
  let passedOver = before !== undefined && query.cursor === undefined ? REST_OF_A_DAY : 0
  for (const span of await spansOf(db, since, before)) {
    let behind = earlier(start, [span.to, MAX_LINE])
    while (found.length <= limit && toRead > 0) {
      const wanted = Math.min(toRead, Math.max(limit + 1 - found.length, passedOver))
      const rows = await readNewest(db, query, { behind, from: span.from, limit: wanted })
      toRead -= rows.length
      const within = rows.filter(({ bookedAt }) => isWithin(bookedAt, since, before))
      passedOver = within.length > 0 ? rows.length - within.length : passedOver + rows.length
      found.push(...within)
      const last = rows.at(-1)
      if (last === undefined || rows.length < wanted) break
      behind = [last.posting, last.line]
      if (toRead === 0 && found.length <= limit) {
        return { items: found.map(readLine), nextCursor: place.format([last.posting, last.line]) }
      }
    }
  }
  return makePage(place, found, limit, { place: (row) => [row.posting, row.line], toItem: readLine })
}

type Range = { behind: Place; from: bigint; limit: number }

const readNewest = (db: Database, { accounts, kinds }: StatementQuery, { behind, from, limit }: Range) =>
  queryRows(
    db,
    lineRow,
    sql`
    select * from ledger_newest(${accounts}::bigint[], ${kinds}::text[], ${behind[0]}::bigint, ${behind[1]}::integer,
      ${from}::bigint, ${limit}::integer)`,
  )

/** Most accounts have no more entries on one day. */
const REST_OF_A_DAY = 100

/** Entries of another time that one call reads at most: a day's entries stand together, so there are few of them. */
const MAX_PASSED_OVER = 2_000
const MAX_LINE = 2 ** 31 - 1
const beyondAll: Place = [EVERYTHING.to, 0]

const earlier = (a: Place, b: Place): Place => (a[0] < b[0] || (a[0] === b[0] && a[1] < b[1]) ? a : b)

const isWithin = (at: Date, since: Date | undefined, before: Date | undefined): boolean =>
  (since === undefined || at >= since) && (before === undefined || at < before)
