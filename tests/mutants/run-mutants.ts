import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createTemplate, dropDatabase } from '@candela/testing/postgres/test-database'
import { reasonOf } from '@candela/server/kernel/errors'
import { type Copy, makeCopy } from './copy.ts'
import { editsOf, type Mutation } from './mutation.ts'
import { type Cluster, runTests, type TestOutcome } from './run-tests.ts'

const MIGRATIONS = 'server/src/db/migrations'

/** Makes the copy that the tests of the server and of the web run on. The contracts and what they compile to stay where they are. */
export const makeServerCopy = (): Promise<Copy> =>
  makeCopy({
    workspaces: ['server', 'protocol', 'devnet', 'testing', 'web'],
    others: ['tests/mutants', 'verify', 'scripts', 'package-lock.json', 'tsconfig.base.json'],
    isCopied: (path) => !path.includes(join('web', 'dist')),
  })

export type Trial = { mutation: Mutation; stages: readonly (readonly string[])[] }
/** broken: with the mutation the tests or the migrations do not even load, so the list has to be corrected. */
export type Verdict = Trial & { result: TestOutcome | { outcome: 'broken'; why: string }; took_ms: number }

/** Tries mutations on copies, `copies.length` at once, and yields each verdict as it comes. */
export async function* tryMutations(
  trials: readonly Trial[],
  options: { copies: readonly Copy[]; cluster: Cluster; limit_ms: number },
): AsyncGenerator<Verdict> {
  const waiting = [...trials]
  const idle = [...options.copies]
  const running = new Map<Trial, Promise<{ verdict: Verdict; copy: Copy }>>()
  while (waiting.length > 0 || running.size > 0) {
    while (idle.length > 0 && waiting.length > 0) {
      const [copy, trial] = [idle.pop() as Copy, waiting.shift() as Trial]
      running.set(
        trial,
        tryOne(trial, copy, options).then((verdict) => ({ verdict, copy })),
      )
    }
    const { verdict, copy } = await Promise.race(running.values())
    running.delete([...running.keys()].find(({ mutation }) => mutation === verdict.mutation) as Trial)
    idle.push(copy)
    yield verdict
  }
}

async function tryOne(
  trial: Trial,
  copy: Copy,
  { cluster, limit_ms }: { cluster: Cluster; limit_ms: number },
): Promise<Verdict> {
  const started = performance.now()
  const { mutation, stages } = trial
  try {
    const result = await copy.withMutation(mutation, () =>
      withTemplate(mutation, copy, cluster, (used) =>
        runStages(copy, [...testsBeside(mutation, copy), ...stages], used, limit_ms),
      ),
    )
    return { ...trial, result, took_ms: performance.now() - started }
  } catch (error) {
    return { ...trial, result: { outcome: 'broken', why: reasonOf(error) }, took_ms: performance.now() - started }
  }
}

/** The tests beside the files that a mutation changes find most of what is to be found, and are tried first. */
function testsBeside(mutation: Mutation, copy: Copy): string[][] {
  const files = editsOf(mutation).map(({ file }) => file.replace(/\.ts$/, '.test.ts'))
  const tests = [...new Set(files)].filter((file) => file.endsWith('.test.ts') && existsSync(join(copy.folder, file)))
  return tests.length > 0 ? [tests] : []
}

/** The migrated database, or one that the mutated migrations make. */
async function withTemplate<T>(
  mutation: Mutation,
  copy: Copy,
  cluster: Cluster,
  use: (cluster: Cluster) => Promise<T>,
): Promise<T> {
  if (!editsOf(mutation).some(({ file }) => file.startsWith(MIGRATIONS))) return use(cluster)
  const template = await createTemplate(cluster.url, join(copy.folder, MIGRATIONS))
  try {
    return await use({ ...cluster, template })
  } finally {
    await dropDatabase(cluster.url, template)
  }
}

export async function runStages(
  copy: Copy,
  stages: readonly (readonly string[])[],
  cluster: Cluster,
  limit_ms: number,
): Promise<TestOutcome> {
  for (const tests of stages) {
    const result = await runTests(copy.folder, tests, { cluster, limit_ms })
    if (result.outcome !== 'passed') return result
  }
  return { outcome: 'passed' }
}
