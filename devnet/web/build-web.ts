/** Builds the web app when its sources are not those of the last build. */
import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { writeFileAtomic } from '../write-file-atomic.ts'
import { spawnGuarded } from '../process/spawn-guarded.ts'

const root = join(import.meta.dirname, '..', '..')
const web = join(root, 'web')
const outFolders = { devnet: 'dist-devnet', production: 'dist' } as const

/** Which build: `devnet` has the demo wallet, `production` speaks through the envelope. */
export type WebMode = keyof typeof outFolders

/**
 * Makes sure of a build. The folder is replaced only by a whole build.
 * @returns the folder, absolute
 * @throws with the tool's last lines when the sources do not build
 */
export async function buildWeb(mode: WebMode, log: (line: string) => void, signal: AbortSignal): Promise<string> {
  const folder = join(web, outFolders[mode])
  const key = await sourcesKey(mode)
  const keyFile = join(folder, '.built-from')
  if ((await readFile(keyFile, 'utf8').catch(() => '')) === key) return folder
  log('Building the web app')
  const draft = draftOf(folder)
  try {
    await runVite(mode, draft, signal)
    if (!existsSync(join(draft, 'index.html'))) throw new Error('Building the web app left no index.html')
    await writeFileAtomic(join(draft, '.built-from'), key)
    await publish(draft, folder, async () => (await readFile(keyFile, 'utf8').catch(() => '')) === key)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  return folder
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

/**
 * Builds into a folder, whatever was built before.
 * @param env added to the tool's own, such as `VITE_API_BASE`
 * @throws with the tool's last lines when the sources do not build
 */
export async function runVite(
  mode: WebMode,
  outDir: string,
  signal: AbortSignal,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const require = createRequire(join(web, 'package.json'))
  const vite = join(dirname(require.resolve('vite/package.json')), 'bin', 'vite.js')
  const lines: string[] = []
  signal.throwIfAborted()
  const args = [vite, 'build', '--mode', mode, '--outDir', outDir, '--emptyOutDir', '--logLevel', 'warn']
  const build = await spawnGuarded(process.execPath, args, {
    cwd: web,
    // Vite's own mode decides; ours must not leak in.
    env: { ...process.env, NODE_ENV: 'production', ...env },
    onLine: (line) => lines.push(line),
  })
  const stop = () => void build.stop(500)
  signal.addEventListener('abort', stop, { once: true })
  const { code } = await build.exited
  signal.removeEventListener('abort', stop)
  signal.throwIfAborted()
  if (code !== 0) throw new Error(`The web app does not build:\n${lines.slice(-15).join('\n')}`)
}

/** A name for all that a build depends on. */
async function sourcesKey(mode: WebMode): Promise<string> {
  const hash = createHash('sha256').update(`${mode} ${process.env['VITE_API_BASE'] ?? ''}\n`)
  for (const folder of ['web', 'protocol']) {
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
