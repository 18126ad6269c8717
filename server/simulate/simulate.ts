/**
 * `npm run simulate -- --seeds 200 [--from 1] [--workers 2]`: lets so many stories happen to the service, each from its
 * own seed, and says which end badly. `--trace` prints what happened in each.
 */
import { parseArgs } from 'node:util'
import { stopwatch } from '@candela/server/kernel/clock'
import { startDatabases } from './run/databases.ts'
import { runSeed } from './run/run-seed.ts'
import { spread } from './run/worker-pool.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '200' },
    from: { type: 'string', default: '1' },
    workers: { type: 'string', default: '2' },
    trace: { type: 'boolean', default: false },
  },
})
const [seeds, from, workers] = [values.seeds, values.from, values.workers].map(Number) as [number, number, number]
if (![seeds, from, workers].every((value) => Number.isSafeInteger(value) && value > 0)) {
  throw new RangeError('--seeds, --from and --workers are whole numbers above zero')
}

const say = (line: string) => process.stdout.write(`${line}\n`)
const elapsed = stopwatch()
await using source = await startDatabases()
let failed = 0
const total = { stories: 0, payments: 0, payouts: 0, restarts: 0 }
const numbers = Array.from({ length: seeds }, (_none, index) => from + index)
const verdicts = values.trace
  ? (async function* () {
      for (const seed of numbers) yield await runSeed(source, seed, say)
    })()
  : spread(source, numbers, workers)
for await (const { seed, findings, hash, figures, took_ms } of verdicts) {
  total.stories += 1
  for (const name of ['payments', 'payouts', 'restarts'] as const) total[name] += figures[name]
  if (findings.length > 0) failed += 1
  for (const finding of findings) say(`seed ${seed} (${hash}): ${finding}`)
  if (values.trace || seeds <= 3) say(`seed ${seed}: ${hash}, ${Math.round(took_ms)} ms, ${JSON.stringify(figures)}`)
}
const took_s = elapsed() / 1000
say(
  `${total.stories} stories, ${failed} ended badly; ${total.payments} payments, ${total.payouts} payouts, ` +
    `${total.restarts} restarts; ${took_s.toFixed(1)} s, ${(total.stories / took_s).toFixed(1)} a second`,
)
process.exitCode = failed > 0 ? 1 : 0
