import { sql, type RawBuilder } from 'kysely'
import { queryRows } from '../../db/query-rows.ts'
import { z } from 'zod'
import type { Tx } from '../../db/open.ts'
import { must } from '../../kernel/assert.ts'
import { type AccountId, accountParts, type MemberAccountName, memberAccountNumbers } from '../chart.ts'
import { assertSound, type PostingOf } from '../post.ts'

/** One posting that pays many members out of one floored platform account. */
export type Sharing = Omit<PostingOf<'income'>, 'legs'> & {
  debit: AccountId
  /** The account of each member, in the asset of `debit`. */
  credit: MemberAccountName
  /** A query for `member_id` and `amount` (base units). Each member once; nothing is paid for an amount of zero. */
  shares: RawBuilder<unknown>
}

const sharedRow = z.object({ total: z.bigint().nullable(), accounts: z.bigint() })

/**
 * Posts all of it in one statement, or nothing. The shares are computed and booked inside the database, because a
 * million amounts would take longer to transfer than to write.
 *
 * Unlike `postBatch` it does not answer "already": the caller records in the same transaction how far it came.
 * @throws SQL state 23505 when the id is known, 23514 when `debit` would go below zero
 */
export async function postShares(tx: Tx, sharing: Sharing): Promise<{ total: bigint; accounts: bigint }> {
  const { id, kind, memo, occurredAt, debit, credit, shares } = sharing
  const { factor, offset } = memberAccountNumbers(credit, accountParts(debit).asset)
  assertSound({ id, kind, legs: [{ debit, credit: factor + offset, amount: 1n }] })
  const rows = await queryRows(
    tx,
    sharedRow,
    sql`
    with share as materialized (
      select member_id * ${factor}::bigint + ${offset}::bigint as account, amount from (${shares}) s where amount > 0
    ),
    collected as materialized (
      select array_agg(account order by account) as accounts, array_agg(amount order by account) as amounts,
        count(*) as entries
      from share
    )
    select case when entries > 0 then ledger_share(${id}::uuid, ${kind}, ${JSON.stringify(memo)}::jsonb,
      ${occurredAt}::timestamptz, ${debit}::bigint, accounts, amounts) end as total, entries as accounts
    from collected`,
  )
  const { total, accounts } = must(rows[0], 'an aggregate answers')
  return { total: total ?? 0n, accounts }
}
