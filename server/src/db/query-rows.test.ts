import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { silentLog } from '../kernel/log.ts'
import { openDatabase } from './open.ts'
import { queryRows } from './query-rows.ts'
import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const row = z.object({ id: z.bigint(), state: z.enum(['a', 'b']), at: z.date().nullable() })
const query = (text: string) => queryRows(database.db, row, sql.raw(text))

test('gives rows that are as the schema says', async () => {
  expect(await query(`select 1::bigint as id, 'a' as state, null::timestamptz as at`)).toEqual([
    { id: 1n, state: 'a', at: null },
  ])
})

test('refuses another column, type or value, also without a row', async () => {
  await expect(query(`select 1::bigint as id, 'a' as state limit 0`)).rejects.toThrow('the columns are id,state')
  await expect(query(`select 1 as id, 'a' as state, now() as at limit 0`)).rejects.toThrow('the column id is number')
  await expect(query(`select 1::bigint as id, 'c' as state, now() as at`)).rejects.toThrow('state')
  await expect(query(`select null::bigint as id, 'a' as state, now() as at`)).rejects.toThrow('id')
})

test('looks at no row of a database that is opened as in production', async () => {
  const db = openDatabase({ url: database.url, log: silentLog(), poolSize: 1 })
  try {
    expect(await queryRows(db, row, sql`select 1 as other`)).toEqual([{ other: 1 }])
  } finally {
    await db.destroy()
  }
})
