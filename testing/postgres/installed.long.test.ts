import { dirname } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openDatabase } from '@candela/server/db/open'
import { silentLog } from '@candela/server/kernel/log'
import { findProgram } from '../process/debian-programs.ts'
import { needs } from '../process/needs.ts'
import { startTemporaryPostgres } from './temporary.ts'

// Where it is installed, the project `installed-postgres-long` runs the tests of the database on it.
test('the Postgres that the system has installed runs as it is', needs('postgres'), async () => {
  const postgres = await startTemporaryPostgres('candela-installed-', dirname(findProgram('postgres') ?? ''))
  const db = openDatabase({ url: postgres.url, log: silentLog(), poolSize: 1 })
  const { rows } = await sql`select reset_val from pg_settings where name = 'jit'`.execute(db)
  await db.destroy()
  await postgres.stop()
  expect(rows).toEqual([{ reset_val: 'on' }])
})
