/**
 * `npm run simulate -- --seeds 200 [--from 1] [--threads 2] [--workers 2] [--exit] [--adversary | --crowd] [--attacks [words of a name]]`: runs this many simulations of the service, each from its own
 * seed, and prints what does not hold. `--trace` prints every step of each simulation. About one in three
 * ends with an exit: the service is killed for good, and members claim from the contract; with `--exit` all do. With
 * `--workers 2` the loops run under the lease, which is lost and taken over. With `--adversary` each seed is a search for a gain instead
 * (`adversary/`), with `--crowd` three days of an attacker with a thousand free accounts (`crowd/`); with `--attacks` besides, the server is
 * without what stops each known attack or a crowd, which must then be found.
 */
import { stopwatch } from '@candela/server/kernel/clock'
import { startDatabasePool } from './run/databases.ts'
import { runSeed } from './run/run-seed.ts'
import { runSeeds } from './run/worker-pool.ts'
import { findKnownAttacks, searchSeeds } from './adversary/run-adversary.ts'
import { findCrowdMutations, runCrowds } from './crowd/run-crowd.ts'
import { readFlags } from '../../scripts/usage.ts'

const { values, positionals } = readFlags(import.meta.filename, {
  options: {
    seeds: { type: 'string', default: '200' },
    from: { type: 'string', default: '1' },
    threads: { type: 'string', default: '2' },
    workers: { type: 'string', default: '1' },
    trace: { type: 'boolean', default: false },
    exit: { type: 'boolean', default: false },
    adversary: { type: 'boolean', default: false },
    crowd: { type: 'boolean', default: false },
    attacks: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})
const [seeds, from, threads] = [values.seeds, values.from, values.threads].map(Number) as [number, number, number]
if (![seeds, from, threads].every((value) => Number.isSafeInteger(value) && value > 0)) {
  throw new RangeError('--seeds, --from and --threads are whole numbers above zero')
}

const { exit } = values
const workers = values.workers === '2' ? 2 : 1
if (String(workers) !== values.workers) throw new RangeError('--workers is 1 or 2')
const print = (line: string) => process.stdout.write(`${line}\n`)
const numbers = Array.from({ length: seeds }, (_none, index) => from + index)
await using pool = await startDatabasePool()
const search = { threads, print }
const isGood = await run()
process.exitCode = isGood ? 0 : 1

function run(): Promise<boolean> {
  const named = positionals.join(' ')
  if (values.crowd)
    return values.attacks ? findCrowdMutations(pool, numbers, { ...search, named }) : runCrowds(pool, numbers, search)
  if (values.attacks) return findKnownAttacks(pool, numbers, { ...search, named })
  return values.adversary ? searchSeeds(pool, numbers, search) : injectFaults()
}

async function injectFaults(): Promise<boolean> {
  const elapsed = stopwatch()
  let failed = 0
  const total = { simulations: 0, payments: 0, payouts: 0, restarts: 0 }
  const lending: Record<string, number> = {}
  const exits: Record<string, number> = {}
  const leases: Record<string, number> = {}
  const results = values.trace
    ? (async function* () {
        for (const seed of numbers) yield await runSeed(pool, seed, { exit, workers, onLine: print })
      })()
    : runSeeds(pool, numbers, { threads, workers, exit })
  for await (const { seed, findings, hash, figures, took_ms } of results) {
    total.simulations += 1
    for (const [name, count] of Object.entries(figures.lending)) lending[name] = (lending[name] ?? 0) + count
    for (const [name, count] of Object.entries(figures.exit)) exits[name] = (exits[name] ?? 0) + count
    for (const [name, count] of Object.entries(figures.lease)) leases[name] = (leases[name] ?? 0) + count
    for (const name of ['payments', 'payouts', 'restarts'] as const) total[name] += figures[name]
    if (findings.length > 0) failed += 1
    for (const finding of findings) print(`seed ${seed} (${hash}): ${finding}`)
    if (values.trace || seeds <= 3)
      print(`seed ${seed}: ${hash}, ${Math.round(took_ms)} ms, ${JSON.stringify(figures)}`)
  }
  const took_s = elapsed() / 1000
  print(
    `${total.simulations} simulations, ${failed} failed; ${total.payments} payments, ${total.payouts} payouts, ` +
      `${total.restarts} restarts; ${took_s.toFixed(1)} s, ${(total.simulations / took_s).toFixed(1)} a second`,
  )
  for (const counts of [lending, exits, leases]) {
    const words = Object.entries(counts).map(([name, count]) => `${count} ${name}`)
    if (words.length > 0) print(words.join(', '))
  }
  return failed === 0
}
