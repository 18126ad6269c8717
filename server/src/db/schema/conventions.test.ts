import { memberPostingKindNames, platformPostingKinds } from '@candela/protocol/posting-kinds'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'

/** What holds of everything in the migrated schema, also of what is added later. */

let own: TestDatabase
beforeAll(async () => {
  own = await createTestDatabase()
})
afterAll(() => own.drop())

/** The names that a query gives. */
async function names(query: string): Promise<string[]> {
  const { rows } = await sql.raw<{ name: string }>(query).execute(own.db)
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
  expect(new Set(kinds)).toEqual(new Set([...memberPostingKindNames, ...platformPostingKinds]))
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
  ]
  for (const [statement, by] of refused) await expect(sql.raw(statement).execute(own.owner)).rejects.toThrow(by)
})

/** What an index is ordered by, in words. */
const columns = (definition: string) =>
  /using btree \((.*?)\)(?: include.*)?(?: where .*)?$/i.exec(definition)?.[1] ?? definition

test('no index is the beginning of another one over the same rows', async () => {
  const { rows } = await sql<{ name: string; a: string; b: string }>`
    select a.indexrelid::regclass::text as name, pg_get_indexdef(a.indexrelid) as a, pg_get_indexdef(b.indexrelid) as b
    from pg_index a join pg_index b on a.indrelid = b.indrelid and a.indexrelid <> b.indexrelid
    join pg_class c on c.oid = a.indrelid and c.relnamespace = 'public'::regnamespace and not c.relispartition
    where not a.indisunique and pg_get_expr(a.indpred, a.indrelid) is not distinct from pg_get_expr(b.indpred, b.indrelid)`.execute(
    own.db,
  )
  expect(rows.length).toBeGreaterThan(10)
  expect(
    rows.filter(({ a, b }) => columns(b).startsWith(`${columns(a)}, `)).map(({ name, b }) => `${name} of ${b}`),
  ).toEqual([])
})
