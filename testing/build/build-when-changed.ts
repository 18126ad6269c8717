/** Builds a folder when its sources are not those of the last build. The folder is replaced only by a whole build. */
import { createHash, hash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildsFolder, root } from '../../scripts/builds-folder.ts'
import { type FolderLock, FolderTaken, lockFolder } from '../process/folder-lock.ts'
import { writeFileAtomic } from '../process/write-file-atomic.ts'

/** Beside the packages, where these may be written to. */
const locks =
  buildsFolder === root ? join(root, 'node_modules', '.cache', 'candela', 'builds') : join(buildsFolder, 'locks')

export type Build = {
  /** For people: what is built. */
  name: string
  /** Where it ends up, absolute. */
  folder: string
  /** The sources that it depends on: folders, relative to the project's, and anything else that changes it. */
  sources: readonly string[]
  variant: string
  /** Makes it in a folder that does not exist yet. @throws with the tool's last lines when the sources do not build */
  make: (draft: string) => Promise<void>
}

/** Makes sure of a build. Of several that want it at once, in this process or in others, one builds and the others wait. */
export async function buildWhenChanged(build: Build, log: (line: string) => void): Promise<void> {
  const { name, folder } = build
  const key = await sourcesKey(build)
  const isThere = async () => (await readFile(join(folder, '.built-from'), 'utf8').catch(() => '')) === key
  if (await isThere()) return
  const lock = await waitForLock(folder)
  try {
    if (await isThere()) return
    log(`Building ${name}`)
    const draft = draftOf(folder)
    try {
      await build.make(draft)
      await writeFileAtomic(join(draft, '.built-from'), key)
      await rm(folder, { recursive: true, force: true })
      await rename(draft, folder)
    } finally {
      await rm(draft, { recursive: true, force: true })
    }
  } finally {
    await lock.release()
  }
}

/** Its file lies elsewhere: the folder itself is replaced. */
async function waitForLock(folder: string): Promise<FolderLock> {
  const place = join(locks, hash('sha256', folder).slice(0, 16))
  await mkdir(place, { recursive: true })
  for (;;) {
    try {
      return await lockFolder(place)
    } catch (error) {
      if (!(error instanceof FolderTaken)) throw error
    }
    await sleep(LOOK_AGAIN_MS)
  }
}

/** How often to look whether somebody else's build is done, in milliseconds. */
const LOOK_AGAIN_MS = 100

/** A folder for one build: what an interrupted one has left behind is in nobody's way. */
export const draftOf = (folder: string): string => `${folder}.${randomUUID()}`

/** A name for all that a build depends on. */
async function sourcesKey({ sources, variant }: Build): Promise<string> {
  const all = createHash('sha256').update(`${variant}\n`)
  for (const folder of sources) {
    for (const path of await sourcesIn(join(root, folder))) {
      all.update(`${folder}/${path}\n`).update(await readFile(join(root, folder, path)))
    }
  }
  return all.update(await readFile(join(root, 'package-lock.json'))).digest('hex')
}

/**
 * The files that a build depends on, relative to `folder`, sorted. Builds are not looked into: one that somebody else is
 * making may be gone at the next moment.
 */
export async function sourcesIn(folder: string, inside = ''): Promise<string[]> {
  const entries = await readdir(join(folder, inside), { withFileTypes: true })
  const found = await Promise.all(
    entries
      .filter(({ name }) => !NO_SOURCE.test(name))
      .map(async (entry) => {
        const path = join(inside, entry.name)
        if (entry.isDirectory()) return sourcesIn(folder, path)
        return entry.isFile() ? [path] : []
      }),
  )
  return found.flat().toSorted()
}

const NO_SOURCE = /^node_modules$|^dist|\.test\.tsx?$/
