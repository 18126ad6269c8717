import { defineConfig } from 'vitest/config'
import { FACT_MS, JOURNEY_MS, START_MS } from './journeys/support/timeouts.ts'

/** Tests that start processes (Postgres, a chain, a browser) get longer, and say so here instead of in each file. */
const withProcesses = { testTimeout: 60_000, hookTimeout: 120_000 }

export default defineConfig({
  test: {
    reporters: ['default', './scripts/closing-line.ts'],
    maxWorkers: 2,
    // Products that the journeys share end with the run, in order.
    teardownTimeout: START_MS,
    projects: [
      { test: { name: 'pure', include: ['*.test.ts', 'protocol/**/*.test.ts', 'web/src/**/*.test.{ts,tsx}'] } },
      {
        test: {
          name: 'server',
          include: ['server/**/*.test.ts'],
          globalSetup: ['server/src/db/testing-cluster.ts'],
          ...withProcesses,
        },
      },
      { test: { name: 'contracts', include: ['contracts/*.test.ts'], ...withProcesses, testTimeout: 180_000 } },
      { test: { name: 'devnet', include: ['devnet/**/*.test.ts'], ...withProcesses, testTimeout: 180_000 } },
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
