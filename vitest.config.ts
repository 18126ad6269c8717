import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { memoryFolder } from './testing/process/memory-folder.ts'
import { FACT_MS, JOURNEY_MS, START_MS } from './testing/browser/timeouts.ts'
import LongestFirst from './scripts/longest-first.ts'
import { findProgram } from './testing/process/debian-programs.ts'
import { HANGS_AFTER_MS } from './testing/limits.ts'

// For every process that the tests start.
const temporary = process.env['TMPDIR'] ?? memoryFolder()
if (temporary !== undefined) process.env['TMPDIR'] = temporary

/** A test ends later than its polls, so that a poll can still say what it waited for. */
const limits = {
  testTimeout: 2 * HANGS_AFTER_MS,
  hookTimeout: 2 * HANGS_AFTER_MS,
  expect: { poll: { timeout: HANGS_AFTER_MS } },
}

/** A process for each file, and its imports once more, took half of the processor time of these tests. */
const inThreads = { pool: 'threads', isolate: false } as const

/** Files with this name are left to `npm run test:long`. */
const LONG = '.long.test.ts'

/** A project of what `npm test` runs, and one of the longer files in the same folders. */
const both = (name: string, folders: readonly string[], options: TestProjectInlineConfiguration['test']) => [
  {
    test: {
      ...options,
      name,
      include: folders.map((folder) => `${folder}/*.test.{ts,tsx}`),
      exclude: [...configDefaults.exclude, `**/*${LONG}`],
    },
  },
  { test: { ...options, name: `${name}-long`, include: folders.map((folder) => `${folder}/*${LONG}`) } },
]

const withDatabase = { globalSetup: ['testing/global-setup.ts'], ...inThreads, ...limits }
/** The tests of the database once more, on the Postgres of the system, which is older than ours. */
const onInstalledPostgres =
  findProgram('postgres') === undefined
    ? []
    : [
        {
          test: {
            ...withDatabase,
            name: 'installed-postgres-long',
            include: ['server/src/{db,ledger,modules,chain}/**/*.test.ts', 'server/test/**/*.test.ts'],
            exclude: [...configDefaults.exclude, `**/*${LONG}`],
            globalSetup: ['testing/global-setup-installed.ts'],
          },
        },
      ]
const withProducts = {
  globalSetup: ['tests/journeys/support/products/shared-products.ts'],
  ...inThreads,
  testTimeout: JOURNEY_MS,
  hookTimeout: START_MS,
  expect: { poll: { timeout: FACT_MS, interval: 100 } },
}
/**
 * Chromium gives its requests up when a network interface of the machine changes (ERR_NETWORK_CHANGED), and the cluster's tests make
 * and cut some: the browser's tests are over before those begin. The cluster's many programs leave room for few others.
 */
const afterBrowsers = { sequence: { groupOrder: 1 }, maxWorkers: 4 } as const

export default defineConfig({
  test: {
    reporters: ['default', './scripts/test-report.ts'],
    // Four more than the two cores of a small machine: a file often waits for a block, a browser or the database.
    maxWorkers: 6,
    sequence: { sequencer: LongestFirst },
    // Products that the journeys share end with the run, in order.
    teardownTimeout: START_MS,
    projects: [
      {
        test: {
          name: 'pure',
          include: ['{tests/rules,protocol,client,verify,web/src}/**/*.test.{ts,tsx}'],
          ...inThreads,
          ...limits,
        },
      },
      ...both('server', ['server/**', 'tests/mutants', 'deploy/**'], withDatabase),
      { test: { name: 'contracts', include: ['contracts/*.test.ts'], ...limits } },
      ...onInstalledPostgres,
      ...both('devnet', ['{devnet,testing}/**'], { ...inThreads, ...limits }),
      ...both('journeys', ['tests/journeys/**'], withProducts),
    ].map((project) =>
      project.test.name === 'devnet-long' ? { test: { ...project.test, ...afterBrowsers } } : project,
    ),
  },
})
