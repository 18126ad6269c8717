import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openProcessRegistry } from '@candela/testing/process/process-registry'
import { discardEmbeddedPostgres } from '@candela/testing/postgres/embedded'
import { lockFolder } from '@candela/testing/process/folder-lock'
import { FOLDER_PREFIX } from './product.ts'

/** Removes what runs have left behind that were killed: their folders, and processes that are still running in them. */
export async function removeAbandonedProducts(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const folder = path.join(tmpdir(), name)
    // A folder without an owner may be that of a product which is just being started.
    if (!name.startsWith(FOLDER_PREFIX) || !existsSync(path.join(folder, 'owner.json'))) continue
    try {
      await lockFolder(folder)
      await openProcessRegistry(folder).endOrphans()
      const postgres = path.join(folder, 'postgres')
      if (existsSync(postgres)) await discardEmbeddedPostgres(postgres)
      await rm(folder, { recursive: true, force: true })
    } catch {
      // Another run is using it, or it is another user's.
    }
  }
}
