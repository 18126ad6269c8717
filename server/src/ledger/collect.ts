import { type RawBuilder, sql } from 'kysely'
import type { AccountId } from './chart.ts'
import type { PostingOf } from './post.ts'

/** One posting that takes from many tracked accounts and gives the sum to a few rolled-up ones, all of one asset. */
export type Collection = Omit<PostingOf<'interest'>, 'legs'> & {
  /** Each account once, with what is taken from it in base units: two arrays that the statement has computed. */
  debits: { accounts: RawBuilder<unknown>; amounts: RawBuilder<unknown> }
  /** In base units; those of nothing are left out. */
  credits: readonly { account: AccountId; amount: RawBuilder<unknown> }[]
}

/**
 * An expression that posts all of it and is the sum, for the statement that computes it: the amounts of many accounts never leave
 * the database. Unlike `postBatch` it does not answer "already": the caller records in the same transaction how far it came.
 * SQL state 23505 when the id is known, 22000 when debits and credits do not fit each other.
 */
export function collecting(collection: Collection): RawBuilder<bigint> {
  const { id, kind, memo, occurredAt, debits, credits } = collection
  return sql`ledger_collect(${id}::uuid, ${kind}, ${JSON.stringify(memo)}::jsonb, ${occurredAt}::timestamptz,
    ${debits.accounts}, ${debits.amounts},
    ${credits.map(({ account }) => account)}::bigint[], array[${sql.join(credits.map(({ amount }) => amount))}]::numeric[])`
}
