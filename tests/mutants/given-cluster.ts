import type { TestProject } from 'vitest/node'
import { buildServer } from '@candela/testing/build/build-server'

/** Tests use the database that the run of the mutants has made: see `testing/global-setup.ts`. */
export default async function setup(project: TestProject): Promise<void> {
  const url = process.env['MUTANTS_DATABASE_URL']
  const template = process.env['MUTANTS_TEMPLATE']
  if (!url || !template) throw new Error('started by tests/mutants/run.ts, which names the database')
  project.provide('testCluster', { url, template })
  // Processes that tests start have the planted bug as well.
  await buildServer(() => undefined)
}
