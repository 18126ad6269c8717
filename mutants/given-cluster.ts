import type { TestProject } from 'vitest/node'

/** Tests use the database that the run of the mutants has made: see `server/test/testing/cluster.ts`. */
export default function setup(project: TestProject): void {
  const url = process.env['MUTANTS_DATABASE_URL']
  const template = process.env['MUTANTS_TEMPLATE']
  if (!url || !template) throw new Error('started by mutants/run.ts, which names the database')
  project.provide('testCluster', { url, template })
}
