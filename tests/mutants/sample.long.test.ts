import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { must } from '@candela/server/kernel/assert'
import { HANGS_AFTER_MS } from '@candela/testing/limits'
import { expect, inject, test } from 'vitest'
import { areas } from './areas.ts'
import type { Mutation } from './mutation.ts'
import { makeServerCopy, tryMutations } from './run-mutants.ts'

const root = join(import.meta.dirname, '..', '..')
const all = areas.flatMap(({ mutations }) => mutations)

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
