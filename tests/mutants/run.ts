/**
 * `npm run mutants -- [--area ledger] [--at-once 2] [--from K] [--file sign-payout] [words of a mutation's name …]`: applies each
 * mutation to a copy of the server, runs the tests of its area, and prints what they did not find. Fails below 95 %. `--file` takes the mutations
 * of files whose path has this text; `--from` leaves out the first K of each area, so that a run which was stopped can be carried on.
 */
import { startDatabasePool } from '../../server/simulate/run/databases.ts'
import { type Area, areas } from './areas.ts'
import { type Copy } from './copy.ts'
import type { Mutation } from './mutation.ts'
import { makeServerCopy, runStages, tryMutations, type Verdict } from './run-mutants.ts'
import { type Cluster, endTests } from './run-tests.ts'
import { readFlags } from '../../scripts/usage.ts'

/** Aim of the project for the share of mutations that the tests find. */
const MIN_KILLED = 0.95
/** A run that takes so many times as long as without a mutation hangs. */
const SLOWER = 5
const MIN_LIMIT_MS = 60_000

const print = (line: string) => process.stdout.write(`${line}\n`)
const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`

const { values, positionals } = readFlags(import.meta.filename, {
  options: {
    area: { type: 'string' },
    'at-once': { type: 'string', default: '2' },
    file: { type: 'string', default: '' },
    from: { type: 'string', default: '0' },
  },
  allowPositionals: true,
})
const isWanted = ({ name, file }: Mutation): boolean =>
  file.includes(values.file) && (positionals.length === 0 || positionals.some((words) => name.includes(words)))
const chosen = areas
  .filter(({ name }) => values.area === undefined || name === values.area)
  .map((area) => ({ ...area, mutations: area.mutations.filter(isWanted).slice(Number(values.from)) }))
  .filter(({ mutations }) => mutations.length > 0)
if (chosen.length === 0)
  throw new Error(`no mutation is called so; the areas are ${areas.map(({ name }) => name).join(', ')}`)

const verdicts: Verdict[] = []
await using stack = new AsyncDisposableStack()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    endTests()
    void stack.disposeAsync().finally(() => process.exit(1))
  })
}
const cluster = stack.use(await startDatabasePool())
const copies: Copy[] = []
for (let nth = 0; nth < Number(values['at-once']); nth++) copies.push(stack.use(await makeServerCopy()))
for (const area of chosen) {
  const limit_ms = await limitWithoutMutation(area, copies, cluster)
  const trials = area.mutations.map((mutation) => ({ mutation, stages: area.stages }))
  for await (const verdict of tryMutations(trials, { copies, cluster, limit_ms })) {
    verdicts.push(verdict)
    print(describe(area.name, verdict))
  }
}

/** How long the tests may take, from how long they take now. @throws when they fail without a mutation */
async function limitWithoutMutation(
  { name, stages }: Area,
  [copy]: readonly Copy[],
  { url, template }: Cluster,
): Promise<number> {
  if (copy === undefined) throw new Error('--at-once takes a number from 1')
  const started = performance.now()
  const result = await runStages(copy, stages, { url, template }, 15 * MIN_LIMIT_MS)
  if (result.outcome !== 'passed') throw new Error(`without a mutation of ${name}: ${JSON.stringify(result)}`)
  const took_ms = performance.now() - started
  print(`${name}: its tests pass without a mutation in ${seconds(took_ms)}`)
  return Math.max(MIN_LIMIT_MS, SLOWER * took_ms)
}

function describe(area: string, { mutation, result, took_ms }: Verdict): string {
  const what = `${area}: ${mutation.name} (${seconds(took_ms)})`
  if (result.outcome === 'killed') return `killed    ${what} by ${result.by}`
  if (result.outcome === 'broken') return `BROKEN    ${what}: ${result.why}`
  return result.outcome === 'hung' ? `hung      ${what}` : `SURVIVED  ${what}`
}

const count = (outcome: string, list = verdicts) => list.filter(({ result }) => result.outcome === outcome).length
const foundIn = (list: readonly Verdict[]) => count('killed', [...list]) + count('hung', [...list])
for (const { name, mutations } of chosen) {
  const own = verdicts.filter(({ mutation }) => mutations.includes(mutation))
  print(`${name}: ${foundIn(own)} of ${own.length} found`)
}
const [found, survived, broken] = [foundIn(verdicts), count('passed'), count('broken')]
print(`${found} of ${verdicts.length} found (${count('hung')} of them hung), ${survived} survived, ${broken} broken`)
process.exitCode = found < MIN_KILLED * verdicts.length || broken > 0 ? 1 : 0
