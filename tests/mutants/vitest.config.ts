import { defineConfig } from 'vitest/config'

/** How the tests run on a copy: one after the other, because several copies are tested at once. */
export default defineConfig({
  test: {
    include: ['server/**/*.test.ts', 'protocol/**/*.test.ts', 'web/src/**/*.test.ts'],
    globalSetup: ['tests/mutants/given-cluster.ts'],
    maxWorkers: 1,
    // The files of one run share what they import: that is most of the time of a short one.
    isolate: false,
    bail: 1,
    // A mutant may make a test wait for ever. The run without a mutation shows that these are long enough.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
  },
})
