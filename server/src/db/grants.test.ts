import { asServer } from '@candela/testing/postgres/roles'
import { createTestDatabase, patientPool, type TestDatabase } from '@candela/testing/postgres/test-database'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { silentLog } from '../kernel/log.ts'
import { addPartitions } from '../ledger/upkeep/partitions.ts'
import { checkMigrated, mayMigrate, migrate } from './migrate.ts'
import { type Database, openDatabase, sqlState } from './open.ts'

/** The SQLSTATE of an act that was refused because the account lacks the right. */
const REFUSED = '42501'

let own: TestDatabase
let server: Database
beforeAll(async () => {
  own = await createTestDatabase()
  server = openDatabase({ url: asServer(own.url), log: silentLog(), ...patientPool })
})
afterAll(async () => {
  await server.destroy()
  await own.drop()
})

const ledgerTables = [
  'ledger_posting',
  'ledger_entry',
  'ledger_entry_1',
  'ledger_account',
  'ledger_delta',
  'ledger_partition',
]

/** Runs it in a transaction that is undone. @returns the SQL state of its failure, or 'done' */
async function outcomeOf(db: Database, statement: string): Promise<string> {
  try {
    await db.transaction().execute(async (tx) => {
      await sql.raw(statement).execute(tx)
      throw new Error('undone')
    })
  } catch (error) {
    return sqlState(error) ?? 'done'
  }
  return 'done'
}

/** Tells how each statement ended, for the servers' account and for the owner's. */
async function outcomesOf(statements: readonly string[]): Promise<{ statement: string; server: string }[]> {
  const outcomes = []
  for (const statement of statements) {
    // It is one that can be done: the owner does it, or a trigger stops it.
    expect(['done', 'P0001']).toContain(await outcomeOf(own.owner, statement))
    outcomes.push({ statement, server: await outcomeOf(server, statement) })
  }
  return outcomes
}

test('the servers’ account can neither change the ledger nor what protects it', async () => {
  const acts = [
    ...ledgerTables.flatMap((table) => [
      `truncate ${table} cascade`,
      `drop table ${table} cascade`,
      `alter table ${table} disable trigger all`,
      `delete from ${table}`,
      `alter table ${table} owner to candela_app`,
    ]),
    'update ledger_posting set kind = kind',
    'update ledger_entry set amount = 0',
    'update ledger_account set balance = 1',
    "insert into ledger_posting (seq, id, kind, memo, occurred_at) values (1, gen_random_uuid(), 'deposit', '{}', now())",
    'insert into ledger_entry (posting, line, kind, account, amount) values (1, 1, 1, 1, 1)',
    'insert into ledger_account (id, balance, version) values (100001, 1, 0)',
    'insert into ledger_delta (account, amount, entries) values (70000, 1, 1)',
    'drop trigger append_only on ledger_entry',
    'drop trigger append_only on ledger_entry_1',
    'alter table ledger_account drop constraint ledger_account_floor',
    'drop index ledger_entry_account',
    'create or replace function ledger_is_append_only() returns trigger language plpgsql as $$ begin return null; end $$',
    'drop function ledger_is_append_only() cascade',
    'alter function ledger_is_append_only() owner to candela_app',
    "select ledger_apply('{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}')",
    "select setval('ledger_batch_seq', 1)",
    'alter table operator_audit disable trigger all',
    'drop trigger append_only on reconciliation',
    'truncate operator_audit',
    'update schema_migration set hash = hash',
    'create table public.mine (one integer)',
    'drop schema public cascade',
    'create role mine',
    'alter role candela_server createrole',
  ]
  const outcomes = await outcomesOf(acts)
  expect(outcomes.filter((one) => one.server !== REFUSED)).toEqual([])
})

test('it cannot act as the owner, or switch triggers off for its session', async () => {
  const acts = ['set role candela', 'set session authorization candela', 'set session_replication_role = replica']
  expect((await outcomesOf(acts)).filter((one) => one.server !== REFUSED)).toEqual([])
})

test('its own functions and tables are not used by those that act for the owner', async () => {
  const trap = `create temporary table ledger_posting (seq bigint, id uuid, kind text, memo jsonb, occurred_at timestamptz);
    create temporary table ledger_account (id bigint, balance numeric, version bigint);
    select ledger_post(array[gen_random_uuid()], '{deposit}', array['{}'::jsonb], array[now()], '{1}', '{1}', '{60000}', '{70000}', '{5}')`
  expect(await outcomeOf(server, trap)).toBe('done')
  const posted = `${trap}; do $$ begin
    if not exists (select from public.ledger_posting) or exists (select from pg_temp.ledger_posting) then raise exception 'trapped'; end if; end $$`
  expect(await outcomeOf(server, posted)).toBe('done')
})

const openAs = (url: string) => openDatabase({ url, log: silentLog(), ...patientPool })

test('what it makes in a schema that others would look into first is not run by a migration, nor found by anybody', async () => {
  await using database = await createTestDatabase({ asOwner: true })
  const [other, later] = [openAs(asServer(database.url)), openAs(database.url)]
  try {
    // "$user" stands before public in the search path, and is the schema with the name of the account.
    for (const act of [
      'create schema candela',
      'grant create, usage on schema candela to public',
      "create view candela.chain_dispute as select 'withdrawal 1'::text as decision",
      "create function candela.ledger_keep_vacuumed(text) returns void language sql as 'create table if not exists public.trapped ()'",
    ])
      await sql.raw(act).execute(other)
    expect((await sql`select decision from chain_dispute`.execute(database.db)).rows).toHaveLength(1)
    const migrated = await migrate(database.db).catch(String)
    expect((await sql`select to_regclass('public.trapped') as found`.execute(database.db)).rows).toEqual([
      { found: null },
    ])
    expect(migrated).toEqual({ applied: [], newer: [] })
    // A session that connects from then on does not find it either.
    expect((await sql`select decision from chain_dispute`.execute(later)).rows).toEqual([])
  } finally {
    await Promise.all([other, later].map((one) => one.destroy()))
  }
})

test('it posts, and makes partitions, by the ledger’s functions', async () => {
  expect(await addPartitions(server, 40)).toBeGreaterThanOrEqual(0)
  const add = 'select ledger_add_partition((select max(first_posting) from ledger_partition) + 16384)'
  expect(await outcomeOf(server, add)).toBe('done')
  expect(await outcomeOf(server, 'select ledger_hold_postings(), ledger_roll_up()')).toBe('done')
})

test('the servers’ account cannot say that the time of operators is moved', async () => {
  const statement = 'update installation set clock_moves = true'
  expect(await outcomesOf([statement])).toEqual([{ statement, server: REFUSED }])
})

test('it finds that everything is migrated, and starts nothing that is not', async () => {
  expect([await mayMigrate(own.owner), await mayMigrate(server)]).toEqual([true, false])
  await expect(checkMigrated(server)).resolves.toEqual({ applied: [], newer: [] })
  const { rows } = await sql<{ hash: string }>`delete from schema_migration where number = 541 returning hash`.execute(
    own.owner,
  )
  await expect(checkMigrated(server)).rejects.toThrow('lacks migration 0541_ledger_rights.sql: run `npm run migrate`')
  const [row] = rows
  await sql`insert into schema_migration (number, name, hash) values (541, '0541_ledger_rights.sql', ${row?.hash})`.execute(
    own.owner,
  )
})

const read = async (table: string) => outcomeOf(own.owner, as(`select from ${table}`))
const as = (statement: string) => `set local role candela_reader; ${statement}`

test('analysts read everything but secrets, and write nothing', async () => {
  for (const table of ['member', 'ledger_entry', 'ledger_balance', 'loan_with_debt', 'chain_payment']) {
    expect({ table, read: await read(table) }).toEqual({ table, read: 'done' })
  }
  for (const table of ['session', 'login_key', 'proof_key']) {
    expect({ table, read: await read(table) }).toEqual({ table, read: REFUSED })
  }
  const acts = [
    'delete from notice',
    'select ledger_roll_up()',
    'insert into setting values (1)',
    'create table public.mine (one integer)',
  ]
  for (const act of acts)
    expect({ act, outcome: await outcomeOf(own.owner, as(act)) }).toEqual({ act, outcome: REFUSED })
})

test('each migration gives the rights anew, so that a table that is added has them', async () => {
  await sql`revoke all on notice from candela_app`.execute(own.owner)
  expect(await outcomeOf(server, 'delete from notice')).toBe(REFUSED)
  await migrate(own.owner)
  expect(await outcomeOf(server, 'delete from notice')).toBe('done')
})
