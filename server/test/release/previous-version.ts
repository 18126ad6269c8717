import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '..', '..', '..')
const migrations = 'server/src/db/migrations'

const git = async (...args: string[]): Promise<string> =>
  (await promisify(execFile)('git', args, { cwd: root, maxBuffer: 2 ** 26 })).stdout.trim()

/** The commit of what runs in production before this version; undefined when it cannot be told. */
async function previousCommit(): Promise<string | undefined> {
  const release = await git('describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD^').catch(() => '')
  if (release !== '') return release
  // Without releases: the last one with other migrations. Older ones than this rule refuse every newer database.
  const changed = await git('log', '-200', '--format=%H^', '--', migrations).catch(() => '')
  const find = (name: string) => git('rev-parse', '--verify', '--quiet', name).catch(() => '')
  for (const name of changed.split('\n')) {
    const commit = name === '' ? '' : await find(name)
    if (
      commit !== '' &&
      (await keepsItsMigrations(commit)) &&
      (await onlyLaterOnes(commit)) &&
      (await goesOnBesideNewer(commit))
    )
      return commit
  }
  const last = await find('HEAD^')
  return last !== '' && (await keepsItsMigrations(last)) ? last : undefined
}

/** Whether all that it has applied is as it was: between two releases a migration can still be changed. */
const keepsItsMigrations = async (commit: string): Promise<boolean> =>
  (await git('diff', '--name-only', '--diff-filter=MDRT', commit, '--', migrations)) === ''

const namesAt = async (commit: string): Promise<string[]> =>
  (await git('ls-tree', '--name-only', commit, `${migrations}/`)).split('\n').filter((name) => name.endsWith('.sql'))

/** Whether every migration since has a higher number: branches that were merged one after the other may have added lower ones. */
const onlyLaterOnes = async (commit: string): Promise<boolean> => {
  const [then, now] = [await namesAt(commit), await namesAt('HEAD')]
  const last = then.toSorted().at(-1) ?? ''
  return now.every((name) => name <= last === then.includes(name))
}

const goesOnBesideNewer = async (commit: string): Promise<boolean> =>
  (await git('show', `${commit}:server/src/db/migrate.ts`)).includes('works_from')

export type PreviousVersion = AsyncDisposable & {
  commit: string
  /** The main file of its server. */
  program: string
  /** The number of its last migration. */
  lastMigration: number
  /** Whether it starts on a database that a newer version has migrated. */
  goesOnBesideNewer: boolean
}

/**
 * The server of the previous version, from git, in a folder of its own, with the packages that are installed here.
 * Undefined without its history, as in a clone of depth 1, and where a commit between has changed a migration.
 */
export async function checkOutPrevious(): Promise<PreviousVersion | undefined> {
  const commit = await previousCommit()
  if (commit === undefined) return undefined
  const folder = await mkdtemp(join(tmpdir(), 'candela-previous-'))
  const dispose = () => rm(folder, { recursive: true, force: true })
  try {
    const archive = join(folder, 'archive.tar')
    await git('archive', '--output', archive, commit, 'package.json', 'server', 'protocol')
    await promisify(execFile)('tar', ['-xf', archive, '-C', folder])
    await linkPackages(folder)
    const program = join(folder, 'server', 'src', 'main', 'main.ts')
    const protocol = createRequire(program).resolve('@candela/protocol/units')
    if (!protocol.startsWith(folder)) throw new Error(`the previous server would run with ${protocol}`)
    const names = (await readdir(join(folder, migrations))).filter((name) => name.endsWith('.sql')).toSorted()
    return {
      commit,
      program,
      lastMigration: Number(names.at(-1)?.slice(0, 4)),
      goesOnBesideNewer: await goesOnBesideNewer(commit),
      [Symbol.asyncDispose]: dispose,
    }
  } catch (error) {
    await dispose()
    throw error
  }
}

/** Links to everything that is installed, but for the workspaces, which are its own. */
async function linkPackages(folder: string): Promise<void> {
  const [from, to] = [join(root, 'node_modules'), join(folder, 'node_modules')]
  await mkdir(join(to, '@candela'), { recursive: true })
  for (const name of await readdir(from)) {
    if (name !== '@candela' && !name.startsWith('.')) await symlink(join(from, name), join(to, name))
  }
  for (const name of ['server', 'protocol']) await symlink(join(folder, name), join(to, '@candela', name))
}

/** A folder with this version's migrations, to which others can be added. */
export async function copyMigrations(to: string): Promise<void> {
  await cp(join(root, migrations), to, { recursive: true })
}
