import { defineConfig } from 'vitest/config'
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
    teardownTimeout: HANGS_AFTER_MS,
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
          include: ['server/**/*.test.ts'],
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
          ...limits,
          // What people see follows the chain by seconds, on a busy machine by more.
          expect: { poll: { ...limits.expect.poll, interval: 100 } },
        },
      },
    ],
  },
})
