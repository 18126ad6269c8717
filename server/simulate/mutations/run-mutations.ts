/**
 * `npm run simulate:bugs -- [--seeds 200] [words of the bugs to try]`: plants each bug of `bugs.ts` into a copy of the
 * server and says within how many stories the simulation finds it.
 */
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startDatabases } from '../run/databases.ts'
import { spread } from '../run/worker-pool.ts'
import { type Bug, bugs } from './mutations.ts'

const root = join(import.meta.dirname, '..', '..', '..')

const isOurs = (path: string) => !path.includes('node_modules') && !path.endsWith('.test.ts')

/** The server, what it imports, and links to everything else that is installed. */
async function makeCopy(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'candela-bugs-'))
  for (const part of ['server', 'protocol', 'package.json']) {
    await cp(join(root, part), join(folder, part), { recursive: true, filter: isOurs })
  }
  await mkdir(join(folder, 'node_modules', '@candela'), { recursive: true })
  for (const name of await readdir(join(root, 'node_modules'))) {
    // Our own packages are the copies.
    if (name === '@candela') continue
    await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name), 'junction')
  }
  for (const name of ['server', 'protocol']) {
    await symlink(join(folder, name), join(folder, 'node_modules', '@candela', name), 'junction')
  }
  return folder
}

type Edit = Omit<Bug, 'bug' | 'more'>
export const editsOf = ({ file, search, replace, more = [] }: Bug): Edit[] => [{ file, search, replace }, ...more]

/**
 * The file with the bug in it.
 * @throws when it fits nowhere, or in several places: then it is the list that is wrong
 */
export function plant(source: string, { file, search, replace }: Edit): string {
  const parts = source.split(search)
  if (parts.length !== 2) throw new Error(`"${search}" is in ${parts.length - 1} places of ${file} instead of one`)
  return parts.join(replace)
}

/** Plants, lets `use` happen, and puts the files back. */
async function withBug<T>(folder: string, bug: Bug, use: () => Promise<T>): Promise<T> {
  const originals = new Map<string, string>()
  try {
    for (const edit of editsOf(bug)) {
      const path = join(folder, 'server', 'src', edit.file)
      const source = await readFile(path, 'utf8')
      if (!originals.has(path)) originals.set(path, source)
      await writeFile(path, plant(source, edit))
    }
    return await use()
  } finally {
    for (const [path, source] of originals) await writeFile(path, source)
  }
}

const say = (line: string) => process.stdout.write(`${line}\n`)

async function hunt(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { seeds: { type: 'string', default: '200' }, workers: { type: 'string', default: '2' } },
    allowPositionals: true,
  })
  const words = positionals.join(' ')
  const numbers = Array.from({ length: Number(values.seeds) }, (_none, index) => index + 1)
  await using source = await startDatabases()
  const folder = await makeCopy()
  let found = 0
  const chosen = bugs.filter(({ bug }) => bug.includes(words))
  try {
    for (const bug of chosen) {
      const [stories, finding] = await withBug(folder, bug, async () => {
        let count = 0
        const script = join(folder, 'server', 'simulate', 'run', 'seed-worker.ts')
        for await (const { findings, seed } of spread(source, numbers, Number(values.workers), script)) {
          count += 1
          if (findings.length > 0) return [count, `seed ${seed}: ${findings[0]?.slice(0, 160)}`] as const
        }
        return [count, undefined] as const
      })
      if (finding !== undefined) found += 1
      say(
        finding === undefined ? `NOT FOUND in ${stories}: ${bug.bug}` : `found in ${stories}: ${bug.bug} (${finding})`,
      )
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  say(`${found} of ${chosen.length} bugs found within ${values.seeds} stories`)
  process.exitCode = found < 0.95 * chosen.length ? 1 : 0
}

if (process.argv[1] === import.meta.filename) await hunt()
