import { randomUUID } from 'node:crypto'
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { processIdentity } from './identity.ts'

/** Another running process, or this one, has the folder. */
export class FolderTaken extends Error {}

/** A lock on a folder: only one running process has it. */
export type FolderLock = { release(): Promise<void> }

/**
 * Locks a folder for this process, by a file `owner.json` in it. The lock of a process that has ended (kill -9, power
 * cut) is taken over.
 * @throws FolderTaken when a running process has it; the message names that process
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const path = join(folder, 'owner.json')
  const mine = JSON.stringify({ pid: process.pid, identity: await processIdentity(process.pid), hold: randomUUID() })
  const draft = `${path}.${randomUUID()}`
  await writeFile(draft, mine, { mode: 0o600 })
  try {
    for (let attempt = 0; attempt < 10; attempt++) {
      if (await linkIfAbsent(draft, path)) return { release: () => releaseFile(path, mine) }
      await removeIfAbandoned(folder, path)
    }
  } finally {
    await rm(draft, { force: true })
  }
  throw new FolderTaken(`could not take the folder ${folder}: others keep taking it`)
}

async function linkIfAbsent(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

async function removeIfAbandoned(folder: string, path: string): Promise<void> {
  const held = await readFile(path, 'utf8').catch(() => undefined)
  if (held === undefined) return
  const { pid, identity } = parseOwner(held)
  if (pid !== undefined && (await processIdentity(pid)) === identity) {
    throw new FolderTaken(`the folder ${folder} is in use by process ${pid}`)
  }
  // Renamed instead of deleted: another process may have replaced the file since it was read. Then what was renamed is
  // that process's lock, and it is put back.
  const aside = `${path}.${randomUUID()}`
  const moved = await rename(path, aside).then(
    () => true,
    () => false,
  )
  if (!moved) return
  if ((await readFile(aside, 'utf8')) !== held) await linkIfAbsent(aside, path)
  await rm(aside, { force: true })
}

function parseOwner(text: string): { pid?: number; identity?: string } {
  try {
    return JSON.parse(text) as { pid?: number; identity?: string }
  } catch {
    // A power cut can leave an incomplete file; then nobody has the lock.
    return {}
  }
}

async function releaseFile(path: string, mine: string): Promise<void> {
  if ((await readFile(path, 'utf8').catch(() => undefined)) === mine) await rm(path, { force: true })
}
