import { readdir, readFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { areas } from './areas.ts'
import { applyEdit, applyMutation, editsOf } from './mutation.ts'

const root = join(import.meta.dirname, '..', '..')
const all = areas.flatMap(({ mutations }) => mutations)

/** How many each area has at least. */
const MIN_MUTATIONS = {
  ledger: 20,
  chain: 20,
  withdraw: 20,
  lending: 25,
  price: 30,
  'loan/watch': 30,
  'loan/daily': 25,
  lever: 20,
  income: 15,
  exchange: 15,
  session: 15,
  deposit: 5,
  transfer: 5,
  shared: 15,
  lease: 15,
  attest: 30,
  proof: 50,
  signing: 50,
  'web-proof': 35,
  standby: 5,
}

test('every area has its mutations, and each has a name of its own', () => {
  const counts = new Map(areas.map(({ name, mutations }) => [name, mutations.length]))
  for (const [name, min] of Object.entries(MIN_MUTATIONS)) expect(counts.get(name), name).toBeGreaterThanOrEqual(min)
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
})

test.each(areas)('$name: every mutation can be applied to the source as it is', async ({ mutations }) => {
  for (const mutation of mutations) {
    const changed = await applyMutation(mutation, (file) => readFile(join(root, file), 'utf8'))
    for (const [file, source] of changed) {
      if (file.endsWith('.ts')) expect(() => stripTypeScriptTypes(source), mutation.name).not.toThrow()
    }
  }
})

/**
 * Lists the statements of a migration's text: each function, view and table that it makes or hangs a trigger or an index on, and where.
 */
const statementsOf = (sql: string) =>
  [
    ...sql.matchAll(/^create (?:or replace )?(function|view|table|(?:unique )?index|trigger) (?:[^;(]*? on )?(\w+)/gm),
  ].map(({ 1: kind = '', 2: name = '', index }) => ({ kind, name, index }))

test('no mutation changes what a later migration makes anew', async () => {
  const folder = join(root, 'server/src/db/migrations')
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).toSorted()
  const read = async (file: string) => [file, statementsOf(await readFile(join(folder, file), 'utf8'))] as const
  const migrations = new Map(await Promise.all(files.map(read)))
  const replaced: string[] = []
  const edits = all.flatMap((mutation) => editsOf(mutation)).filter(({ file }) => file.endsWith('.sql'))
  for (const { file, search } of edits) {
    const own = basename(file)
    const place = (await readFile(join(root, file), 'utf8')).indexOf(search)
    const changed = migrations.get(own)?.findLast(({ index }) => index <= place)
    const makesAnew = ({ kind, name }: { kind: string; name: string }) =>
      name === changed?.name && ['function', 'view', 'table'].includes(kind)
    const later = files.slice(files.indexOf(own) + 1).filter((other) => migrations.get(other)?.some(makesAnew))
    if (later.length > 0) replaced.push(`${search} in ${own}: ${later.join()} makes ${changed?.name} anew`)
  }
  expect(edits.length).toBeGreaterThan(20)
  expect(replaced).toEqual([])
})

test('a mutation whose text is not there, is there twice or changes nothing is an error', () => {
  const edit = { file: 'a.ts', search: 'x > 0', replace: 'x >= 0' }
  expect(applyEdit('if (x > 0) y()', edit)).toBe('if (x >= 0) y()')
  expect(() => applyEdit('if (x < 0) y()', edit)).toThrow('"x > 0" is in 0 places of a.ts instead of one')
  expect(() => applyEdit('x > 0 && x > 0', edit)).toThrow('in 2 places')
  expect(() => applyEdit('if (x > 0) y()', { ...edit, replace: edit.search })).toThrow('replaced by itself')
})
