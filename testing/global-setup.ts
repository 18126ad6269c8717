import { loadArtifact } from '@candela/contracts/artifacts.ts'
import type { TestProject } from 'vitest/node'
import { buildServer } from './build/build-server.ts'
import { startTemporaryPostgres } from './postgres/temporary.ts'
import { createTemplate, dropDatabase } from './postgres/test-database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where test databases are created, and the migrated one that they are copies of. */
    testCluster: { url: string; template: string }
  }
}

/** Tests start the build as a process of its own, as in production. */
const buildNow = () => buildServer(() => undefined)

/** As on a server that somebody else has installed: with the settings that it comes with. */
export async function setupOn(project: TestProject, bin: string): Promise<() => Promise<void>> {
  await Promise.all([loadArtifact('OddToken'), buildNow()])
  const postgres = await startTemporaryPostgres('candela-installed-', bin)
  project.provide('testCluster', { url: postgres.url, template: await createTemplate(postgres.url) })
  return postgres.stop
}

/**
 * One Postgres for the whole test run: `TEST_DATABASE_URL` (its user must be allowed to create databases), or an
 * embedded one in a temporary folder that does not wait for the disk.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Once for all, before the first test file: several that need a chain begin together.
  await Promise.all([loadArtifact('OddToken'), buildNow()])
  project.onTestsRerun(buildNow)
  const outside = process.env['TEST_DATABASE_URL']
  if (outside) {
    const template = await createTemplate(outside)
    project.provide('testCluster', { url: outside, template })
    return () => dropDatabase(outside, template)
  }
  const postgres = await startTemporaryPostgres('candela-test-cluster-')
  project.provide('testCluster', { url: postgres.url, template: await createTemplate(postgres.url) })
  return postgres.stop
}
