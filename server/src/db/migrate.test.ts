import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { silentLog } from '../kernel/log.ts'
import { FIRST_DECLARED, migrate, migrationsFolder } from './migrate.ts'
import { type Database, openDatabase } from './open.ts'
import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'

let own: TestDatabase
let folder: string
let db: Database

// A schema of its own inside a test database stands in for an empty one, which the template is not.
beforeEach(async () => {
  own = await createTestDatabase({ asOwner: true })
  folder = await mkdtemp(join(tmpdir(), 'candela-migrations-'))
  await sql`create schema fresh`.execute(own.db)
  const url = new URL(own.url)
  url.searchParams.set('options', '-c search_path=fresh')
  db = openDatabase({ url: url.href, log: silentLog(), poolSize: 6 })
})
afterEach(async () => {
  await db.destroy()
  await own.drop()
  await rm(folder, { recursive: true, force: true })
})

const write = (name: string, text: string) => writeFile(join(folder, name), text)

test('applies in order, once, and only what is new', async () => {
  await write('0002_fill.sql', 'insert into thing values (2); insert into thing values (3); -- two statements')
  await write('0001_thing.sql', 'create table thing (n integer)')
  expect(await migrate(db, folder)).toEqual({ applied: ['0001_thing.sql', '0002_fill.sql'], newer: [] })
  expect(await migrate(db, folder)).toEqual({ applied: [], newer: [] })
  await write('0005_more.sql', 'insert into thing values (5)')
  expect((await migrate(db, folder)).applied).toEqual(['0005_more.sql'])
  const { rows } = await sql<{ n: number }>`select n from thing order by n`.execute(db)
  expect(rows.map(({ n }) => n)).toEqual([2, 3, 5])
})

test('starters at the same moment do not collide', async () => {
  await write('0001_slow.sql', 'create table thing (n integer); select pg_sleep(0.1); insert into thing values (1)')
  const results = await Promise.all(Array.from({ length: 5 }, () => migrate(db, folder)))
  expect(results.flatMap(({ applied }) => applied)).toEqual(['0001_slow.sql'])
})

test('a migration that fails leaves nothing of itself and names itself', async () => {
  await write('0001_fine.sql', 'create table fine (n integer)')
  await write('0002_broken.sql', 'create table half (n integer); select 1 / 0')
  await expect(migrate(db, folder)).rejects.toThrow('migration 0002_broken.sql failed: division by zero')
  const { rows } = await sql<{ half: string | null; fine: string | null }>`
    select to_regclass('half')::text as half, to_regclass('fine')::text as fine`.execute(db)
  expect(rows).toEqual([{ half: null, fine: 'fine' }])
  await write('0002_broken.sql', 'create table half (n integer)')
  expect((await migrate(db, folder)).applied).toEqual(['0002_broken.sql'])
})

test('refuses a changed, a missing, a late and a badly named migration', async () => {
  await write('0002_thing.sql', 'create table thing (n integer)')
  await migrate(db, folder)
  await write('0002_thing.sql', 'create table thing (n bigint)')
  await expect(migrate(db, folder)).rejects.toThrow('0002_thing.sql was changed after it was applied')
  await rm(join(folder, '0002_thing.sql'))
  await expect(migrate(db, folder)).rejects.toThrow(
    'the database has migration 0002_thing.sql, which this version does not know',
  )
  await write('0002_thing.sql', 'create table thing (n integer)')
  await write('0001_late.sql', 'select 1')
  await expect(migrate(db, folder)).rejects.toThrow(
    'the database has migration 2 but not 0001_late.sql, which comes before it: it was made by a version that was never released. ' +
      'Begin development anew without its DATA_DIR',
  )
  await rm(join(folder, '0001_late.sql'))
  await write('0002_twin.sql', 'select 1')
  await expect(migrate(db, folder)).rejects.toThrow('two migrations have the number 2')
  await rm(join(folder, '0002_twin.sql'))
  await write('3-new.sql', 'select 1')
  await expect(migrate(db, folder)).rejects.toThrow('3-new.sql: the name must be like')
})

test("the product's own migrations apply to an empty database", async () => {
  await cp(migrationsFolder, folder, { recursive: true })
  const { applied } = await migrate(db, folder)
  expect(applied[0]).toBe('0001_ledger.sql')
  expect(await migrate(db, folder)).toEqual({ applied: [], newer: [] })
})

test('an older version goes on where a newer one has migrated, as far as the newer migrations say', async () => {
  await write('0430_thing.sql', 'create table thing (n integer)')
  await migrate(db, folder)
  const later = {
    '0440_beside.sql': '-- previous version: works\nselect 1',
    '0450_same_release.sql': '-- previous version: works from 0430 on\nselect 1',
    '0460_next_release.sql': '-- previous version: works\nselect 1',
  }
  const forget = () => Promise.all(Object.keys(later).map((name) => rm(join(folder, name), { force: true })))
  const add = async (count: number) => {
    for (const [name, text] of Object.entries(later).slice(0, count)) await write(name, text)
    await migrate(db, folder)
    await forget()
  }
  await add(2)
  expect(await migrate(db, folder)).toEqual({ applied: [], newer: ['0440_beside.sql', '0450_same_release.sql'] })
  await add(3)
  await expect(migrate(db, folder)).rejects.toThrow(
    'the database has migration 0460_next_release.sql, which this version does not know and does not work with',
  )
  // A server that knows the release before goes on.
  await write('0440_beside.sql', later['0440_beside.sql'])
  await write('0450_same_release.sql', later['0450_same_release.sql'])
  expect((await migrate(db, folder)).newer).toEqual(['0460_next_release.sql'])
})

test('an older version does not start where it must be stopped, nor where nothing is said', async () => {
  await write('0430_thing.sql', 'create table thing (n integer)')
  for (const text of ['-- previous version: must be stopped\nselect 1', 'select 1']) {
    await write('0440_other.sql', text)
    await migrate(db, folder)
    await rm(join(folder, '0440_other.sql'))
    await expect(migrate(db, folder)).rejects.toThrow('0440_other.sql, which this version does not know')
    await sql`delete from schema_migration where number = 440`.execute(db)
  }
  await write('0440_other.sql', '-- previous version: works from 0435 on\nselect 1')
  await expect(migrate(db, folder)).rejects.toThrow('"previous version: works from 0435 on" names no earlier migration')
})

test('each migration says in its header whether the version before it works with it', async () => {
  const silent: string[] = []
  for (const name of await readdir(migrationsFolder)) {
    const text = await readFile(join(migrationsFolder, name), 'utf8')
    if (Number(name.slice(0, 4)) >= FIRST_DECLARED && !/^-- previous version: /m.test(text)) silent.push(name)
  }
  expect(silent).toEqual([])
})

test('a migration that would have to wait for a table for long fails and can be repeated', async () => {
  await write('0001_thing.sql', 'create table thing (n integer)')
  await migrate(db, folder)
  await write('0002_wider.sql', 'alter table thing add column m integer')
  await db.transaction().execute(async (tx) => {
    await sql`select n from thing`.execute(tx)
    await expect(migrate(db, folder)).rejects.toThrow(
      'migration 0002_wider.sql failed: canceling statement due to lock timeout',
    )
  })
  expect((await migrate(db, folder)).applied).toEqual(['0002_wider.sql'])
})
