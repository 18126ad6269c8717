/** Builds a folder when its sources are not those of the last build. The folder is replaced only by a whole build. */
import { createHash, randomUUID } from 'node:crypto'
import { readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFileAtomic } from '../write-file-atomic.ts'

export const root = join(import.meta.dirname, '..', '..')

export type Build = {
  /** For people: what is built. */
  name: string
  /** Where it ends up, absolute. */
  folder: string
  /** What it depends on: folders, relative to the project's, and anything else that changes it. */
  sources: readonly string[]
  variant: string
  /** Makes it in a folder that does not exist yet. @throws with the tool's last lines when the sources do not build */
  make: (draft: string) => Promise<void>
}

/** Makes sure of a build. */
export async function buildWhenChanged(build: Build, log: (line: string) => void): Promise<void> {
  const { name, folder } = build
  const key = await sourcesKey(build)
  const keyFile = join(folder, '.built-from')
  const isThere = async () => (await readFile(keyFile, 'utf8').catch(() => '')) === key
  if (await isThere()) return
  log(`Building ${name}`)
  const draft = draftOf(folder)
  try {
    await build.make(draft)
    await writeFileAtomic(join(draft, '.built-from'), key)
    await publish(draft, folder, isThere)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/** A folder for one build: two of them may be under way at the same time, also in one process. */
export const draftOf = (folder: string): string => `${folder}.${randomUUID()}`

/** Two launchers may build at the same time: the later one finds the same build there, or replaces another one. */
async function publish(draft: string, folder: string, isThere: () => Promise<boolean>): Promise<void> {
  for (let attempt = 1; !(await isThere()); attempt += 1) {
    await rm(folder, { recursive: true, force: true })
    try {
      await rename(draft, folder)
      return
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (attempt === 5 || (code !== 'ENOTEMPTY' && code !== 'EEXIST' && code !== 'EPERM')) throw error
    }
  }
}

/** A name for all that a build depends on. */
async function sourcesKey({ sources, variant }: Build): Promise<string> {
  const hash = createHash('sha256').update(`${variant}\n`)
  for (const folder of sources) {
    for (const path of await sourcesIn(join(root, folder))) {
      hash.update(`${folder}/${path}\n`).update(await readFile(join(root, folder, path)))
    }
  }
  return hash.update(await readFile(join(root, 'package-lock.json'))).digest('hex')
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
