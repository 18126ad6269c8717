import { sql } from 'kysely'
import { queryRows } from '../../db/query-rows.ts'
import type { Database } from '../../db/open.ts'
import type { PostingKind } from '@candela/protocol/posting-kinds'
import type { AccountId } from '../chart.ts'
import { type LineRow, lineRow, readLine, type StatementLine } from './statement.ts'
import { EVERYTHING } from './time-spans.ts'

/** An entry with its place: entries of one account are recorded in the order of `posting`. */
export type PlacedLine = StatementLine & { posting: bigint }

type Wanted = { account: AccountId; kinds: readonly PostingKind[]; posting: bigint; limit: number }

/** Entries of one account and some kinds that were recorded after a posting, oldest first; 0 begins with the first. */
export async function entriesAfter(db: Database, { account, kinds, posting, limit }: Wanted): Promise<PlacedLine[]> {
  const rows = await queryRows(
    db,
    lineRow,
    sql`select * from ledger_next(${account}, ${kinds}::text[], ${posting}, ${limit})`,
  )
  return rows.map(toPlaced)
}

/** Entries of one account and some kinds that were recorded before a place, newest first; undefined begins with the last. */
export async function entriesBefore(
  db: Database,
  { account, kinds, place, limit }: Newest & { account: AccountId; place: bigint | undefined },
): Promise<PlacedLine[]> {
  const rows = await queryRows(
    db,
    lineRow,
    sql`
    select * from ledger_newest(array[${account}::bigint], ${kinds}::text[], ${place ?? EVERYTHING.to}::bigint, 0, 0, ${limit})`,
  )
  return rows.map(toPlaced)
}

type Newest = { kinds: readonly PostingKind[]; limit: number }

/** Reads the newest such entries of each account that were recorded after the posting given with it, newest first. */
export async function newestAfter(
  db: Database,
  marks: readonly { account: AccountId; posting: bigint }[],
  { kinds, limit }: Newest,
): Promise<PlacedLine[]> {
  const rows = await queryRows(
    db,
    lineRow,
    sql`
    select newest.*
    from unnest(${marks.map(({ account }) => account)}::bigint[], ${marks.map(({ posting }) => posting)}::bigint[])
      as mark(account, posting)
    cross join lateral ledger_newest(array[mark.account], ${kinds}::text[], ${EVERYTHING.to}::bigint, 0,
      mark.posting + 1, ${limit}) newest
    order by newest.account, newest.posting desc, newest.line desc`,
  )
  return rows.map(toPlaced)
}

const toPlaced = (row: LineRow): PlacedLine => ({ ...readLine(row), posting: row.posting })
