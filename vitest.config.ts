import { defineConfig } from 'vitest/config'
import { memoryFolder } from './testing/process/memory-folder.ts'
import { FACT_MS, JOURNEY_MS, START_MS } from './testing/browser/timeouts.ts'
import LongestFirst from './scripts/longest-first.ts'
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

/**
 * Chromium gives its requests up when a network interface of the machine changes (ERR_NETWORK_CHANGED), and the cluster's tests make
 * and cut some: the browser's tests are over before those begin. The cluster's many programs leave room for few others.
 */
const afterBrowsers = { sequence: { groupOrder: 1 }, maxWorkers: 4 } as const

export default defineConfig({
  test: {
    reporters: ['default', './scripts/report-failures.ts'],
    // Four more than the two cores of a small machine: a file often waits for a block, a browser or the database.
    maxWorkers: 6,
    sequence: { sequencer: LongestFirst },
    // Products that the journeys share end with the run, in order.
    teardownTimeout: START_MS,
    projects: [
      {
        test: {
          name: 'pure',
          include: ['rules/*.test.ts', 'protocol/**/*.test.ts', 'verify/**/*.test.ts', 'web/src/**/*.test.{ts,tsx}'],
          ...inThreads,
          ...limits,
        },
      },
      {
        test: {
          name: 'server',
          include: ['server/**/*.test.ts', 'mutants/*.test.ts'],
          globalSetup: ['testing/global-setup.ts'],
          ...inThreads,
          ...limits,
        },
      },
      {
        test: {
          name: 'deploy',
          include: ['deploy/**/*.test.ts'],
          globalSetup: ['testing/global-setup.ts'],
          ...inThreads,
          ...limits,
        },
      },
      { test: { name: 'contracts', include: ['contracts/*.test.ts'], ...limits } },
      {
        test: { name: 'devnet', ...afterBrowsers, include: ['{devnet,testing}/**/*.test.ts'], ...inThreads, ...limits },
      },
      {
        test: {
          name: 'journeys',
          include: ['journeys/**/*.test.ts'],
          globalSetup: ['journeys/support/products/shared-products.ts'],
          ...inThreads,
          testTimeout: JOURNEY_MS,
          hookTimeout: START_MS,
          expect: { poll: { timeout: FACT_MS, interval: 100 } },
        },
      },
    ],
  },
})
