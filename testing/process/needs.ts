/** Tests that need more than Node, npm and what npm installs. */
import type { TestOptions } from 'vitest'
import { type DebianProgram, missingPackages } from './debian-programs.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** The Debian packages without which a test, or a group of tests, is skipped. `scripts/test-report.ts` lists them. */
    needs?: readonly string[]
  }
}

/**
 * Options of a test, or of a group, that runs these programs: it is skipped where one of them is not installed.
 * @throws in a run that has to be complete (CANDELA_TEST_ALL is 1)
 */
export const needs = (...programs: readonly DebianProgram[]): TestOptions => needsPackages(missingPackages(programs))

/** The same with the packages that were found to be missing. */
export function needsPackages(missing: readonly string[]): TestOptions {
  if (missing.length === 0) return {}
  if (process.env['CANDELA_TEST_ALL'] === '1')
    throw new Error(`CANDELA_TEST_ALL is 1, and these Debian packages are not installed: ${missing.join(', ')}`)
  return { skip: true, meta: { needs: missing } }
}
