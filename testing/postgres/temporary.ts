import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { discardEmbeddedPostgres, startEmbeddedPostgres } from './embedded.ts'

/**
 * Starts a Postgres in a temporary folder that does not wait for the disk. `stop` removes the folder.
 * @param prefix of the folder's name, for one purpose alone: what killed runs have left under it is removed first
 * @param bin the folder of an installed Postgres
 */
export async function startTemporaryPostgres(
  prefix: string,
  bin?: string,
): Promise<{ url: string; stop: () => Promise<void> }> {
  await removeAbandoned(prefix)
  const folder = await mkdtemp(join(tmpdir(), prefix))
  const postgres = await startEmbeddedPostgres({ folder, durable: false, bin })
  return {
    url: postgres.url(),
    async stop() {
      await postgres.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Stops the Postgres of runs that were killed. A folder without an owner file belongs to a run that is starting. */
async function removeAbandoned(prefix: string): Promise<void> {
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
