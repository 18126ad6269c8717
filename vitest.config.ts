import { defineConfig } from 'vitest/config'
import { FACT_MS, JOURNEY_MS, START_MS } from './journeys/support/timeouts.ts'
import { HANGS_AFTER_MS } from './server/src/kernel/testing-limits.ts'

/** A test ends later than its polls, so that a poll can still say what it waited for. */
const limits = {
  testTimeout: 2 * HANGS_AFTER_MS,
  hookTimeout: 2 * HANGS_AFTER_MS,
  expect: { poll: { timeout: HANGS_AFTER_MS } },
}

export default defineConfig({
  test: {
    reporters: ['default', './scripts/closing-line.ts'],
    maxWorkers: 2,
    // Products that the journeys share end with the run, in order.
    teardownTimeout: START_MS,
    projects: [
      {
        test: {
          name: 'pure',
          include: ['*.test.ts', 'protocol/**/*.test.ts', 'web/src/**/*.test.{ts,tsx}'],
          ...limits,
        },
      },
      {
        test: {
          name: 'server',
          include: ['server/**/*.test.ts', 'mutants/*.test.ts'],
          globalSetup: ['server/test/testing/cluster.ts'],
          ...limits,
        },
      },
      { test: { name: 'contracts', include: ['contracts/*.test.ts'], ...limits } },
      { test: { name: 'devnet', include: ['devnet/**/*.test.ts'], ...limits } },
      {
        test: {
          name: 'journeys',
          include: ['journeys/**/*.test.ts'],
          globalSetup: ['journeys/support/shared-products.ts'],
          testTimeout: JOURNEY_MS,
          hookTimeout: START_MS,
          expect: { poll: { timeout: FACT_MS, interval: 100 } },
        },
      },
    ],
  },
})
