import { sql } from 'kysely'
import { z } from 'zod'
import type { Tx } from '../db/open.ts'
import { queryRows } from '../db/query-rows.ts'
import type { AccountId } from './chart.ts'
import { assertSound, type PostingOf } from './post.ts'

/** One posting that takes from many tracked accounts and gives the sum to a few rolled-up ones, all of one asset. */
export type Collection = Omit<PostingOf<'interest'>, 'legs'> & {
  /** Each account once, in ascending order, with what is taken from it in base units. */
  debits: { accounts: readonly AccountId[]; amounts: readonly bigint[] }
  credits: readonly { account: AccountId; amount: bigint }[]
}

const collectedRow = z.object({ total: z.bigint() })

/**
 * Posts all of it in one statement. Unlike `postBatch` it does not answer "already": the caller records in the same
 * transaction how far it came.
 * @throws SQL state 23505 when the id is known, 22000 when debits and credits do not fit each other
 */
export async function postCollection(tx: Tx, collection: Collection): Promise<void> {
  const { id, kind, memo, occurredAt, debits, credits } = collection
  assertSound({
    id,
    kind,
    legs: debits.accounts
      .slice(0, 1)
      .map((debit) => ({ debit, credit: credits[0]?.account ?? 0n, amount: debits.amounts[0] ?? 0n })),
  })
  await queryRows(
    tx,
    collectedRow,
    sql`select ledger_collect(${id}::uuid, ${kind}, ${JSON.stringify(memo)}::jsonb, ${occurredAt}::timestamptz,
      ${arrayText(debits.accounts)}::bigint[], ${arrayText(debits.amounts)}::numeric[],
      ${credits.map(({ account }) => account)}::bigint[], ${credits.map(({ amount }) => amount)}::numeric[]) as total`,
  )
}

/** One text instead of a list: the driver's general way handles each element by itself. */
const arrayText = (numbers: readonly bigint[]): string => `{${numbers.join(',')}}`
