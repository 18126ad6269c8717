import { sql } from 'kysely'
import { queryRows } from '../db/query-rows.ts'
import { z } from 'zod'
import type { Database } from '../db/open.ts'
import type { PostingKind } from '@candela/protocol/posting-kinds'
import type { AccountId } from './chart.ts'
import type { Memo } from './memos.ts'

/** What an account is asked about: postings of one kind since a time, told apart by a text of their memo. */
export type GainsQuery<K extends PostingKind> = {
  account: AccountId
  kind: K
  memoKey: keyof Memo<K> & string
  since: Date
}

const gainRow = z.object({ text: z.string(), amount: z.bigint() })

/** What an account gained by such postings, summed by that text. Base units. */
export async function gainsByMemo<K extends PostingKind>(
  db: Database,
  query: GainsQuery<K>,
): Promise<Map<string, bigint>> {
  const rows = await queryRows(
    db,
    gainRow,
    sql`
    select p.memo->>${query.memoKey} as text, sum(e.amount) as amount
    from ledger_entry e join ledger_posting p on p.seq = e.posting
    where e.account = ${query.account} and p.kind = ${query.kind} and p.occurred_at >= ${query.since}
      and p.memo ? ${query.memoKey}
    group by 1`,
  )
  return new Map(rows.map(({ text, amount }) => [text, amount]))
}
