import { readdir, readFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { basename, join } from 'node:path'
import { must } from '@candela/server/kernel/assert'
import { HANGS_AFTER_MS } from '@candela/testing/limits'
import { expect, inject, test } from 'vitest'
import { areas } from './areas.ts'
import { applyEdit, applyMutation, editsOf, type Mutation } from './mutation.ts'
import { makeServerCopy, tryMutations } from './run-mutants.ts'

const root = join(import.meta.dirname, '..')
const all = areas.flatMap(({ mutations }) => mutations)

/** How many each area has at least. */
const MIN_MUTATIONS = {
  ledger: 20,
  chain: 20,
  withdraw: 20,
  credit: 25,
  income: 15,
  exchange: 15,
  session: 15,
  deposit: 5,
  transfer: 5,
  shared: 15,
  lease: 15,
  attest: 30,
  proof: 50,
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

/** Of a migration's text: each function, view and table that it makes or hangs a trigger or an index on, and where. */
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

/** One of each area with a test that finds it quickly. `npm run mutants` tries all of them with all tests of their area. */
const sample = {
  'balance rows can be deleted': 'server/src/ledger/rules.test.ts',
  'the proof of a message is not compared': 'server/src/modules/session/log-in/login-message.test.ts',
  'a fee is rounded down': 'server/src/modules/exchange/fee.test.ts',
  'incomes are held': 'server/src/modules/income/postings.test.ts',
  'one operator is enough for any amount': 'server/src/modules/withdraw/terms.test.ts',
  'a block’s parent is not compared': 'server/src/chain/follow/reconcile-block.test.ts',
}

/** Changes a comment: no test may fail. */
const harmless: Mutation = {
  name: 'another comment',
  file: 'server/src/modules/exchange/fee.ts',
  search: 'Percent off the fee',
  replace: 'Percent taken off the fee',
}

test('a sample: the tests find each, and nothing where there is nothing', async () => {
  const trials = Object.entries(sample).map(([name, tests]) => ({
    mutation: must(
      all.find((mutation) => mutation.name === name),
      `there is a mutation "${name}"`,
    ),
    stages: [[tests]],
  }))
  trials.push({ mutation: harmless, stages: [['server/src/modules/exchange/fee.test.ts']] })
  await using one = await makeServerCopy()
  await using other = await makeServerCopy()
  const options = { copies: [one, other], cluster: inject('testCluster'), limit_ms: HANGS_AFTER_MS }
  const outcomes = new Map<string, string>()
  for await (const { mutation, result } of tryMutations(trials, options)) outcomes.set(mutation.name, result.outcome)
  expect(Object.fromEntries(outcomes)).toEqual({
    ...Object.fromEntries(Object.keys(sample).map((name) => [name, 'killed'])),
    [harmless.name]: 'passed',
  })
  // The copies are as they were.
  const file = join(one.folder, harmless.file)
  expect(await readFile(file, 'utf8')).toBe(await readFile(join(root, harmless.file), 'utf8'))
})
