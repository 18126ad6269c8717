/**
 * `npm run simulate:mutations -- [--seeds 200] [--workers 2] [words of a mutation's name]`: applies each mutation to a copy of
 * the server, and prints within how many simulations a finding shows it.
 */
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type DatabasePool, startDatabasePool } from '../run/databases.ts'
import { runSeeds } from '../run/worker-pool.ts'
import { applyEdit, editsOf, type Mutation } from './mutation.ts'
import { mutations } from './mutations.ts'

const root = join(import.meta.dirname, '..', '..', '..')

const isCopied = (path: string) => !path.includes('node_modules') && !path.endsWith('.test.ts')

/** The workspaces that a mutation may change or that import what it changes. */
const copied = ['server', 'protocol']

/** Copies the server and the protocol, and links everything else that is installed. */
async function makeCopy(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'candela-mutations-'))
  for (const part of [...copied, 'package.json']) {
    await cp(join(root, part), join(folder, part), { recursive: true, filter: isCopied })
  }
  const modules = join(folder, 'node_modules')
  await mkdir(join(modules, '@candela'), { recursive: true })
  for (const name of await readdir(join(root, 'node_modules'))) {
    if (name !== '@candela') await symlink(join(root, 'node_modules', name), join(modules, name), 'junction')
  }
  for (const name of await readdir(join(root, 'node_modules', '@candela'))) {
    const target = join(copied.includes(name) ? folder : root, name)
    await symlink(target, join(modules, '@candela', name), 'junction')
  }
  return folder
}

/** Applies a mutation to the copy, calls `use`, and restores the files. */
async function withMutation<T>(folder: string, mutation: Mutation, use: () => Promise<T>): Promise<T> {
  const originals = new Map<string, string>()
  try {
    for (const edit of editsOf(mutation)) {
      const path = join(folder, edit.file)
      const source = await readFile(path, 'utf8')
      if (!originals.has(path)) originals.set(path, source)
      await writeFile(path, applyEdit(source, edit))
    }
    return await use()
  } finally {
    for (const [path, source] of originals) await writeFile(path, source)
  }
}

type Outcome = { simulations: number; finding?: string }

/** Runs seeds until one has a finding. */
async function firstFinding(
  pool: DatabasePool,
  folder: string,
  seeds: readonly number[],
  workers: number,
): Promise<Outcome> {
  const script = join(folder, 'server', 'simulate', 'run', 'seed-worker.ts')
  let simulations = 0
  for await (const { findings, seed } of runSeeds(pool, seeds, workers, script)) {
    simulations += 1
    const [finding] = findings
    if (finding !== undefined) return { simulations, finding: `seed ${seed}: ${finding.slice(0, 160)}` }
  }
  return { simulations }
}

const print = (line: string) => process.stdout.write(`${line}\n`)

const { values, positionals } = parseArgs({
  options: { seeds: { type: 'string', default: '200' }, workers: { type: 'string', default: '2' } },
  allowPositionals: true,
})
const words = positionals.join(' ')
const seeds = Array.from({ length: Number(values.seeds) }, (_none, index) => index + 1)
const selected = mutations.filter(({ name }) => name.includes(words))
await using pool = await startDatabasePool()
const folder = await makeCopy()
let found = 0
try {
  for (const mutation of selected) {
    const run = () => firstFinding(pool, folder, seeds, Number(values.workers))
    const { simulations, finding } = await withMutation(folder, mutation, run)
    if (finding === undefined) print(`NOT FOUND in ${simulations}: ${mutation.name}`)
    else print(`found in ${simulations}: ${mutation.name} (${finding})`)
    if (finding !== undefined) found += 1
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
print(`${found} of ${selected.length} mutations found within ${values.seeds} simulations`)
process.exitCode = found < 0.95 * selected.length ? 1 : 0
