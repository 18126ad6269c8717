import type { PostingKind } from '@candela/protocol/posting-kinds'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '../../db/open.ts'
import { queryRows } from '../../db/query-rows.ts'
import type { AccountId } from '../chart.ts'
import { spansOf } from './time-spans.ts'

const flowRow = z.object({ posting: z.bigint(), account: z.bigint(), amount: z.bigint() })

/** The gain of an account by a posting, signed, in base units. */
export type Flow = z.output<typeof flowRow>

/** Reads what postings of these kinds have moved on accounts since a time, the newest first. */
export async function readFlows(
  db: Database,
  accounts: readonly AccountId[],
  { since, kinds }: { since: Date; kinds: readonly PostingKind[] },
): Promise<Flow[]> {
  const spans = await spansOf(db, since, undefined)
  // The newest is first.
  const from = spans.at(-1)?.from ?? 0n
  return queryRows(
    db,
    flowRow,
    sql`
    select e.posting, e.account, e.amount from ledger_entry e join ledger_posting p on p.seq = e.posting
    where e.account = any(${accounts}::bigint[]) and e.posting >= ${from}::bigint and p.occurred_at > ${since}
      and p.kind = any(${kinds})
    order by e.posting desc`,
  )
}
