import { defineConfig } from 'vitest/config'

/** Tests that start processes (Postgres, a chain, a browser) get longer, and say so here instead of in each file. */
const withProcesses = { testTimeout: 60_000, hookTimeout: 120_000 }

export default defineConfig({
  test: {
    reporters: ['default', './scripts/closing-line.ts'],
    maxWorkers: 2,
    projects: [
      { test: { name: 'pure', include: ['*.test.ts', 'protocol/**/*.test.ts', 'web/src/**/*.test.{ts,tsx}'] } },
      {
        test: {
          name: 'server',
          include: ['server/**/*.test.ts'],
          globalSetup: ['server/test/testing/cluster.ts'],
          ...withProcesses,
        },
      },
      { test: { name: 'contracts', include: ['contracts/*.test.ts'], ...withProcesses, testTimeout: 180_000 } },
      { test: { name: 'devnet', include: ['devnet/**/*.test.ts'], ...withProcesses, testTimeout: 180_000 } },
      {
        test: {
          name: 'journeys',
          include: ['journeys/**/*.test.ts'],
          ...withProcesses,
          testTimeout: 120_000,
          hookTimeout: 240_000,
          // What people see follows the chain by seconds, on a busy machine by more.
          expect: { poll: { timeout: 20_000, interval: 100 } },
        },
      },
    ],
  },
})
