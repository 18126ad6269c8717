/**
 * `npm run simulate:mutations -- [--seeds 200] [--threads 2] [--exit] [words of a mutation's name]`: applies each mutation to a copy of
 * the server, and prints within how many simulations a finding shows it. Those of the lease run with two workers.
 */
import { join } from 'node:path'
import { type DatabasePool, startDatabasePool } from '../run/databases.ts'
import { runSeeds } from '../run/worker-pool.ts'
import { leaseMutations } from './lease-mutations.ts'
import { mutations } from './mutations.ts'
import { readFlags } from '../../../scripts/usage.ts'
import { makeServerCopy } from './server-copy.ts'

type Outcome = { simulations: number; finding?: string }

/** Runs seeds until one has a finding. */
async function firstFinding(
  pool: DatabasePool,
  folder: string,
  seeds: readonly number[],
  options: { threads: number; exit: boolean; workers: 1 | 2 },
): Promise<Outcome> {
  const script = join(folder, 'server', 'simulate', 'run', 'seed-worker.ts')
  let simulations = 0
  for await (const { findings, seed } of runSeeds(pool, seeds, { ...options, script })) {
    simulations += 1
    const [finding] = findings
    if (finding !== undefined) return { simulations, finding: `seed ${seed}: ${finding.slice(0, 160)}` }
  }
  return { simulations }
}

const print = (line: string) => process.stdout.write(`${line}\n`)

const { values, positionals } = readFlags(import.meta.filename, {
  options: {
    seeds: { type: 'string', default: '200' },
    threads: { type: 'string', default: '2' },
    exit: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})
const words = positionals.join(' ')
const seeds = Array.from({ length: Number(values.seeds) }, (_none, index) => index + 1)
const selected = mutations.filter(({ name }) => name.includes(words))
await using pool = await startDatabasePool()
await using copy = await makeServerCopy()
let found = 0
for (const mutation of selected) {
  const workers = leaseMutations.includes(mutation) ? 2 : 1
  const options = { threads: Number(values.threads), exit: values.exit, workers } as const
  const run = () => firstFinding(pool, copy.folder, seeds, options)
  const { simulations, finding } = await copy.withMutation(mutation, run)
  if (finding === undefined) print(`NOT FOUND in ${simulations}: ${mutation.name}`)
  else print(`found in ${simulations}: ${mutation.name} (${finding})`)
  if (finding !== undefined) found += 1
}
print(`${found} of ${selected.length} mutations found within ${values.seeds} simulations`)
process.exitCode = found < 0.95 * selected.length ? 1 : 0
