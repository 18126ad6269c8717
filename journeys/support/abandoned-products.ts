import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openLeftovers } from '@candela/devnet/leftovers'
import { discardEmbeddedPostgres } from '@candela/server/db/embedded'
import { ownFolder } from '@candela/server/db/folder-owner'
import { FOLDER_PREFIX } from './product.ts'

/** Removes what runs have left behind that were killed: their folders, and processes that are still running in them. */
export async function removeAbandonedProducts(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const folder = path.join(tmpdir(), name)
    // A folder without an owner may be that of a product which is just being started.
    if (!name.startsWith(FOLDER_PREFIX) || !existsSync(path.join(folder, 'owner.json'))) continue
    try {
      await ownFolder(folder)
      await openLeftovers(folder).end()
      const postgres = path.join(folder, 'postgres')
      if (existsSync(postgres)) await discardEmbeddedPostgres(postgres)
      await rm(folder, { recursive: true, force: true })
    } catch {
      // Another run is using it, or it is another user's.
    }
  }
}
