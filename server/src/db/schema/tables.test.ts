import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTestDatabase } from '@candela/testing/postgres/test-database'
import { renderSchema } from './render-schema.ts'
import { tableOwners } from './table-owners.ts'
import { renderTables } from './render-tables.ts'

const folder = join(import.meta.dirname, '..', 'tables')

// The formatter decides where lines break.
const withoutLayout = (text: string): string => text.replaceAll(/\s+\|?\s*/g, ' ')

test('the row types are those of the migrated schema: else run `npm run tables`', async () => {
  await using database = await createTestDatabase()
  const rendered = await renderTables(database.db)
  expect((await readdir(folder)).toSorted()).toEqual([...rendered.keys()].toSorted())
  for (const [file, text] of rendered) {
    expect(withoutLayout(await readFile(join(folder, file), 'utf8'))).toBe(withoutLayout(text))
  }
})

test('the picture of the schema has every table of it: else run `npm run tables`', async () => {
  await using database = await createTestDatabase()
  const picture = await renderSchema(database.db)
  expect(picture.match(/<g/g)).toHaveLength(Object.keys(tableOwners).length)
  expect(picture).toContain('>member_id → member<')
  expect(await readFile(join(import.meta.dirname, '../../../../docs/pictures/schema.svg'), 'utf8')).toBe(picture)
})

const payerColumns = (text: string | undefined) => /  payer: \{\n([\s\S]*?)\n  \}/.exec(text ?? '')?.[1]

test('a change of the schema shows in them', async () => {
  await using database = await createTestDatabase({ asOwner: true })
  const { db } = database
  const before = (await renderTables(db)).get('withdraw.ts')
  await db.schema.alterTable('payer').addColumn('note', 'text').execute()
  const after = (await renderTables(db)).get('withdraw.ts')
  expect(payerColumns(before)).toContain('address: string')
  expect(payerColumns(before)).not.toContain('note: string | null')
  expect(payerColumns(after)).toContain('note: string | null')
  await db.schema.createTable('stray').addColumn('id', 'bigint').execute()
  await expect(renderTables(db)).rejects.toThrow('table stray has an owner')
})
