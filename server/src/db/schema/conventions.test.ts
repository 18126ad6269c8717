import { memberPostingKinds, platformPostingKinds } from '@candela/protocol/posting-kinds'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'
import type { Database } from '../open.ts'

/** These rules hold for everything in the migrated schema, also for what is added later. */

let own: TestDatabase
beforeAll(async () => {
  own = await createTestDatabase()
})
afterAll(() => own.drop())

/** The names that a query gives. */
async function names(query: string, db: Database = own.db): Promise<string[]> {
  const { rows } = await sql.raw<{ name: string }>(query).execute(db)
  return rows.map(({ name }) => name).toSorted()
}

const functions = `select p.oid::regprocedure::text as name, coalesce(array_to_string(p.proconfig, ' '), '') as settings,
  p.prosqlbody is null as is_parsed_later from pg_proc p where p.pronamespace = 'public'::regnamespace`

test('a function that leaves the planner few methods compiles nothing: on Postgres 15 to 17 it would each time', async () => {
  const few = `select name from (${functions}) f where settings like '%enable\\_%'`
  expect(await names(few)).toContain('ledger_spent_count(bigint[],timestamp with time zone[],text,bigint,integer)')
  expect(await names(`${few} and settings not like '%jit=off%'`)).toEqual([])
})

test('a function finds the same tables whatever the search path of the session', async () => {
  const fixed = `select name from (${functions}) f where is_parsed_later`
  expect((await names(fixed)).length).toBeGreaterThan(20)
  expect(await names(`${fixed} and settings not like '%search_path=public, pg_temp%'`)).toEqual([])
})

test('connections of the service compile nothing', async () => {
  const { rows } = await sql<{ jit: string }>`show jit`.execute(own.db)
  expect(rows).toEqual([{ jit: 'off' }])
})

test('every table has a key, without which no change of it can be published to another database', async () => {
  const tables = `select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`
  expect(await names(tables)).toContain('ledger_delta')
  const keys = `not exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary)`
  expect(await names(`${tables} and ${keys}`)).toEqual([])
})

test('everything can still be changed while all tables are published, as for a copy in another database', async () => {
  await using database = await createTestDatabase({ asOwner: true })
  const { db } = database
  const tables = await names(`select c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`)
  await sql`create publication everything for all tables`.execute(db)
  // Postgres looks for the key also where no row is found.
  await sql`create table without_key (n integer)`.execute(db)
  await expect(sql`delete from without_key where false`.execute(db)).rejects.toThrow('does not have a replica identity')
  const refusals: string[] = []
  for (const table of tables)
    await sql`delete from ${sql.table(table)} where false`
      .execute(db)
      .catch((error: unknown) => refusals.push(String(error)))
  // Other refusals are guards of tables that only grow.
  expect(refusals.filter((refusal) => refusal.includes('replica identity'))).toEqual([])
})

test('no column for amounts takes what is not a number', async () => {
  const columns = `select c.relname || '.' || a.attname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
      and a.atttypid = 'numeric'::regtype`
  expect(await names(columns)).toContain('ledger_account.balance')
  const refusing = `exists (select from pg_constraint k where k.conrelid = c.oid and k.contype = 'c'
    and pg_get_constraintdef(k.oid) like '%(' || a.attname || ' <> ''NaN''::numeric)%')`
  expect(await names(`${columns} and not ${refusing}`)).toEqual([])
  const spend = sql`insert into ledger_account (id, balance, version) values (100001, 'NaN', 0)`
  await expect(spend.execute(own.owner)).rejects.toThrow('is_a_number')
})

test('the kinds of postings are those that the ledger knows', async () => {
  const { rows } = await sql<{ kinds: string }>`
    select pg_get_constraintdef(oid) as kinds from pg_constraint where conname = 'ledger_posting_kind_is_known'`.execute(
    own.db,
  )
  const kinds = [...(rows[0]?.kinds ?? '').matchAll(/'([a-z-]+)'::text/g)].map(([, kind]) => kind)
  expect(new Set(kinds)).toEqual(new Set([...memberPostingKinds, ...platformPostingKinds]))
})

test('rows that no part of the service writes are refused', async () => {
  const at = new Date('2026-03-01T12:00:00Z')
  const member = { address: `0x${'1'.repeat(40)}`, inviter_id: null, invitation_code: 'FIRST001', joined_at: at }
  const { id } = await own.db.insertInto('member').values(member).returning('id').executeTakeFirstOrThrow()
  const second = { ...member, address: `0x${'2'.repeat(40)}`, inviter_id: id, invitation_code: 'SECOND01' }
  const invited = await own.db.insertInto('member').values(second).returning('id').executeTakeFirstOrThrow()
  const refused: [statement: string, by: string][] = [
    [`update member set inviter_id = ${invited.id} where id = ${id}`, 'member_inviter_came_before'],
    [
      `insert into session (token_hash, id, member_id, created_at, seen_at, expires_at)
        values ('\\x01', gen_random_uuid(), ${id}, now(), now(), now() - interval '1 day')`,
      'session_ends_after_it_begins',
    ],
    [
      `insert into ledger_posting (seq, id, kind, memo, occurred_at) values (1, gen_random_uuid(), 'nonsense', '{}', now())`,
      'ledger_posting_kind_is_known',
    ],
    [
      `insert into deposit (deposit_no, member_id, asset, amount, created_at, lapses_at)
        values ('D1', ${id}, 'BTC', 1, now(), now() + interval '1 day')`,
      'asset_is_known',
    ],
    [
      `insert into withdrawal (withdrawal_no, payout_id, member_id, asset, amount, fee, to_address, worth_usdt, state, created_at, changed_at)
        values ('W0000001', '0x${'1'.repeat(64)}', ${id}, 'JU', 2, 1, '${member.address}', -1, 'review', now(), now())`,
      'withdrawal_worth_is_positive',
    ],
  ]
  for (const [statement, by] of refused) await expect(sql.raw(statement).execute(own.owner)).rejects.toThrow(by)
})

const shown = `c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') and not c.relispartition`

test('each table and view, and each of its columns, says what it is', async () => {
  const silentTables = `select c.relname as name from pg_class c where ${shown} and coalesce(obj_description(c.oid, 'pg_class'), '') = ''`
  const silentColumns = `select c.relname || '.' || a.attname as name from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where ${shown} and coalesce(col_description(c.oid, a.attnum), '') = ''`
  expect(await names(silentTables)).toEqual([])
  expect(await names(silentColumns)).toEqual([])
  await using database = await createTestDatabase({ asOwner: true })
  await sql`create table silent (column_of_it integer)`.execute(database.db)
  expect(await names(silentTables, database.db)).toEqual(['silent'])
  expect(await names(silentColumns, database.db)).toEqual(['silent.column_of_it'])
})

type Index = {
  table: string
  name: string
  isPrimary: boolean
  isUnique: boolean
  columns: string[]
  /** The parts of the condition, of which each is true for its rows. */
  conditions: string[]
}

/** The B-trees of all tables; of a partitioned one, its own. */
async function readIndexes(db: Database): Promise<Index[]> {
  const { rows } = await sql<Omit<Index, 'conditions'> & { condition: string | null }>`
    select t.relname as table, c.relname as name, i.indisprimary as "isPrimary", i.indisunique as "isUnique",
      (select array_agg(pg_get_indexdef(i.indexrelid, n, true) || case when (i.indoption[n - 1] & 1) = 1 then ' desc' else '' end order by n)
        from generate_series(1, i.indnkeyatts) n) as columns,
      pg_get_expr(i.indpred, i.indrelid, true) as condition
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid join pg_am m on m.oid = c.relam
    where t.relnamespace = 'public'::regnamespace and not t.relispartition and m.amname = 'btree' order by 1, 2`.execute(
    db,
  )
  return rows.map(({ condition, ...index }) => ({ ...index, conditions: condition?.split(' AND ') ?? [] }))
}

/** The columns that a condition leaves one value of: `action = 'paid'::text`. */
const fixed = ({ conditions }: Index) =>
  conditions.flatMap((one) => /^\(?(\w+) = '[^']*'::\w+\)?$/.exec(one)?.[1] ?? [])

/** Whether b has every row of a, in an order that begins with the order of a. */
function covers(b: Index, a: Index): boolean {
  if (a.table !== b.table || a.name === b.name || !b.conditions.every((one) => a.conditions.includes(one))) return false
  // A column that a condition fixes orders nothing among the rows of a.
  const rest = b.columns.filter((column) => a.columns.includes(column) || !fixed(a).includes(column))
  return a.columns.every((column, nth) => rest[nth] === column)
}

/** Pairs of which the first is covered, and why both are kept. */
const KEPT: Readonly<Record<string, string>> = {
  'exchange_quote_pkey, exchange_quote_id_member_id_key': 'an exchange is of the quote of its own member',
  'member_pkey, member_id_address': 'a withdrawal goes to the address of its own member',
  'withdrawal_pkey, withdrawal_id_payer_nonce_key': 'a transaction has the nonce of its own withdrawal',
  'attestation_signed, attestation_pkey': 'a queue: few rows of a table that grows',
  'ledger_audit_finding_open, ledger_audit_finding_pkey': 'a queue',
  'loan_debt_open, loan_debt_pkey': 'open loans in the order of their ids, of all that there ever were',
  'loan_liquidating, loan_pkey': 'a queue',
  'loan_to_audit, loan_pkey': 'a queue',
  'loan_member_open, loan_member': 'the open loans of a member who has had many',
  'notice_partial, notice_gathered_pkey': 'a queue',
  'withdrawal_open, withdrawal_id_payer_nonce_key': 'a queue',
  'withdrawal_open, withdrawal_pkey': 'a queue',
  'fund_price_deficit, fund_price_pkey': 'few rows of a table that grows',
  'chain_uncredited_failing, chain_uncredited_pkey': 'few rows of a table that can be long',
}

test('no index is the beginning of another one that has its rows, but for those that are kept for a reason', async () => {
  const indexes = await readIndexes(own.db)
  const covered = indexes.flatMap((a) => indexes.filter((b) => covers(b, a)).map((b) => `${a.name}, ${b.name}`))
  expect(covered.toSorted()).toEqual(Object.keys(KEPT).toSorted())
})

/**
 * Columns that are written once or more to many rows of a table. In an index or the condition of one, each time would write to all
 * indexes.
 */
const WRITTEN_OFTEN: Readonly<Record<string, readonly string[]>> = {
  chain_event: ['state', 'outcome', 'credited_at', 'failures', 'last_failure', 'retry_at', 'waits_for', 'agreed_hash'],
  ledger_account: ['balance', 'version'],
  loan_debt: ['interest_charged', 'interest_through', 'watch_through'],
  request_log: ['result'],
}

async function indexedThoughWritten(db: Database): Promise<string[]> {
  const found = await Promise.all(
    Object.entries(WRITTEN_OFTEN).map(async ([table, columns]) => {
      const { rows } = await sql<{ column: string; index: string }>`
        select a.attname as column, i.indexrelid::regclass::text as index from pg_attribute a join pg_index i on i.indrelid = a.attrelid
        where a.attrelid = ${table}::regclass and a.attname = any(${columns}::text[])
          and regexp_replace(pg_get_indexdef(i.indexrelid), '^.* USING ', '') ~ ('\\m' || a.attname || '\\M')`.execute(
        db,
      )
      const { rows: named } =
        await sql`select attname from pg_attribute where attrelid = ${table}::regclass and attname = any(${columns})`.execute(
          db,
        )
      expect(named).toHaveLength(columns.length)
      return rows.map(({ column, index }) => `${index}: ${column}`)
    }),
  )
  return found.flat()
}

test('what is written again and again is in no index', async () => {
  expect(await indexedThoughWritten(own.db)).toEqual([])
  await using database = await createTestDatabase({ asOwner: true })
  await sql`create index by_state on chain_event (block_number) where state = 'recorded'`.execute(database.db)
  await sql`create index by_balance on ledger_account (balance)`.execute(database.db)
  expect(await indexedThoughWritten(database.db)).toEqual(['by_state: state', 'by_balance: balance'])
})

test('an index that another one covers is found, also one whose condition fixes a column', async () => {
  await using database = await createTestDatabase({ asOwner: true })
  const { db } = database
  await sql`create index covered on exchange (member_id)`.execute(db)
  await sql`create index fixed on chain_event (reference) where action = 'paid'`.execute(db)
  await sql`create index other_order on exchange (member_id, id)`.execute(db)
  const indexes = await readIndexes(db)
  const found = ['covered', 'fixed', 'other_order'].filter((name) =>
    indexes.some((a) => a.name === name && indexes.some((b) => b.name !== 'other_order' && covers(b, a))),
  )
  expect(found).toEqual(['covered', 'fixed'])
})
