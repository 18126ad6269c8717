import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { discardEmbeddedPostgres, startEmbeddedPostgres } from '@candela/devnet/postgres/embedded'
import { createTemplate, dropDatabase } from '@candela/server/db/testing'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where test databases are created, and the migrated one that they are copies of. */
    testCluster: { url: string; template: string }
  }
}

/**
 * One Postgres for the whole test run: `TEST_DATABASE_URL` (its user must be allowed to create databases), or an
 * embedded one in a temporary folder that does not wait for the disk.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const outside = process.env['TEST_DATABASE_URL']
  if (outside) {
    const template = await createTemplate(outside)
    project.provide('testCluster', { url: outside, template })
    return () => dropDatabase(outside, template)
  }
  await removeOrphans()
  const folder = await mkdtemp(join(tmpdir(), prefix))
  const postgres = await startEmbeddedPostgres({ folder, durable: false })
  const url = postgres.url()
  project.provide('testCluster', { url, template: await createTemplate(url) })
  return async () => {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

const prefix = 'candela-test-cluster-'

// A test run that was killed leaves its Postgres running. A folder without an owner file belongs to a run that is starting.
async function removeOrphans(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const folder = join(tmpdir(), name)
    if (!name.startsWith(prefix) || !existsSync(join(folder, 'owner.json'))) continue
    try {
      await discardEmbeddedPostgres(folder)
    } catch {
      // Another run uses it, or it belongs to another user.
    }
  }
}
