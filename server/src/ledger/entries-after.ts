import { sql } from 'kysely'
import { queryRows } from '../db/query-rows.ts'
import { z } from 'zod'
import type { Database } from '../db/open.ts'
import type { AccountId } from './chart.ts'
import { lineRow, readLine, type StatementLine } from './statement.ts'

/** An entry with its place: entries of one account are recorded in the order of `posting`. */
export type PlacedLine = StatementLine & { posting: bigint }

/** Entries of one account that were recorded after a posting, oldest first; 0 begins with the first. */
export async function entriesAfter(
  db: Database,
  account: AccountId,
  posting: bigint,
  limit: number,
): Promise<PlacedLine[]> {
  const rows = await queryRows(
    db,
    lineRow,
    sql`
    select e.account, e.amount, e.balance, e.posting, e.line, p.id as "postingId", p.kind, p.memo, p.occurred_at as "occurredAt"
    from ledger_entry e join ledger_posting p on p.seq = e.posting
    where e.account = ${account} and e.posting > ${posting}
    order by e.posting, e.line
    limit ${limit}`,
  )
  return rows.map((row) => ({ ...readLine(row), posting: row.posting }))
}

/** Entries of one account that were recorded before a place, newest first; undefined begins with the last. */
export async function entriesBefore(
  db: Database,
  account: AccountId,
  place: bigint | undefined,
  limit: number,
): Promise<PlacedLine[]> {
  const rows = await queryRows(
    db,
    lineRow,
    sql`
    select e.account, e.amount, e.balance, e.posting, e.line, p.id as "postingId", p.kind, p.memo, p.occurred_at as "occurredAt"
    from ledger_entry e join ledger_posting p on p.seq = e.posting
    where e.account = ${account} and e.posting < coalesce(${place ?? null}::bigint, ${2n ** 63n - 1n}::bigint)
    order by e.posting desc, e.line desc
    limit ${limit}`,
  )
  return rows.map((row) => ({ ...readLine(row), posting: row.posting }))
}

const accountRow = z.object({ account: z.bigint() })

/** Those of the accounts that have entries recorded after the posting given with each. */
export async function movedSince(
  db: Database,
  marks: readonly { account: AccountId; posting: bigint }[],
): Promise<AccountId[]> {
  const rows = await queryRows(
    db,
    accountRow,
    sql`
    select mark.account
    from unnest(${marks.map(({ account }) => account)}::bigint[], ${marks.map(({ posting }) => posting)}::bigint[])
      as mark(account, posting)
    where exists (select from ledger_entry e where e.account = mark.account and e.posting > mark.posting)`,
  )
  return rows.map(({ account }) => account)
}
