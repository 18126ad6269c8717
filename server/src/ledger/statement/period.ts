import { memberPostingKinds } from '@candela/protocol/posting-kinds'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '../../db/open.ts'
import { queryRows } from '../../db/query-rows.ts'
import type { AccountId } from '../chart.ts'
import { statement } from './statement.ts'

const finalRow = z.object({ final: z.date().nullable() })

/**
 * Everything that is booked before this time can be seen, and nothing is booked before it any more. Null before the first days are
 * counted.
 */
export async function readFinalBefore(db: Database): Promise<Date | null> {
  const [found] = await queryRows(db, finalRow, sql`select final_before as final from ledger_day_mark`)
  return found?.final ?? null
}

/** The balance of each account of members after all that was booked before a time, in their order. Base units. */
export const balancesBefore = (db: Database, accounts: readonly AccountId[], before: Date): Promise<bigint[]> =>
  Promise.all(accounts.map((account) => balanceBefore(db, account, before)))

async function balanceBefore(db: Database, account: AccountId, before: Date): Promise<bigint> {
  let cursor: string | undefined
  for (;;) {
    const page = await statement(db, { accounts: [account], kinds: memberPostingKinds, before, limit: 1, cursor })
    const last = page.items[0]
    if (last !== undefined) return last.balance ?? 0n
    // A page may be empty and have a next one.
    if (page.nextCursor === null) return 0n
    cursor = page.nextCursor
  }
}
