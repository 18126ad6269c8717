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
