import { dirname } from 'node:path'
import type { TestProject } from 'vitest/node'
import { setupOn } from './global-setup.ts'
import { findProgram } from './process/debian-programs.ts'

/** One Postgres for the whole test run: the newest that the system has installed. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const program = findProgram('postgres')
  if (program === undefined) throw new Error('No Postgres is installed')
  return await setupOn(project, dirname(program))
}
