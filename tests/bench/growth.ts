/**
 * Measures what a ledger's size costs: a database of each size, the same work at each in turns, every figure a cost per unit, and its
 * ratio to that at the first size in the same round. The audit comes last and must find nothing. Then bytes per entry.
 *
 *   npx node tests/bench/growth.ts [--entries 1000000,10000000] [--members 100000] [--rounds 5] [--batches 300] [--folder /some/folder]
 *     [--only postings,reads,days,start,audit] [--ids random]
 *
 * With `--folder` the databases stay there, one folder for each size, and the next call goes on with what is in them. Before the
 * first round of postings and of reads: vacuum analyze and a checkpoint. Most measures have a round that warms and does not count. Figures are
 * medians of rounds, with the lowest and the highest ratio. Half of the entries are shared income, which each member gets in turn; a tenth of the
 * other postings are those of 100 busy members, whose pages are full at any size. Postgres has the settings of
 * deploy/postgres/patroni.yml. Ids of postings are made as the service makes them; with `--ids random` those of what is measured have no time
 * in them, which shows what the index of ids costs then.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@candela/server/kernel/clock'
import { auditMeasures } from './growth/audit.ts'
import { printBytes } from './growth/bytes.ts'
import { dayMeasures } from './growth/days.ts'
import { countEntries } from './growth/fill.ts'
import type { Measure } from './growth/measure.ts'
import { type Ledger, startLedger } from './growth/ledger.ts'
import { postingMeasures } from './growth/postings.ts'
import { readMeasures } from './growth/reads.ts'
import { startMeasure } from './growth/start.ts'
import { median, print, spread } from './support/figures.ts'
import { readFlags } from '../../scripts/usage.ts'

const { values: flags } = readFlags(import.meta.filename, {
  options: {
    entries: { type: 'string', default: '1000000,10000000' },
    members: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '5' },
    batches: { type: 'string', default: '300' },
    folder: { type: 'string' },
    ids: { type: 'string', default: 'time' },
    only: { type: 'string', default: 'postings,reads,days,start,audit' },
  },
})
const sizes = flags.entries.split(',').map(Number)
const rounds = Number(flags.rounds)
const groups: Readonly<Record<string, readonly Measure[]>> = {
  postings: postingMeasures({ rounds, batches: Number(flags.batches), hasRandomIds: flags.ids === 'random' }),
  reads: readMeasures(rounds),
  days: dayMeasures(rounds),
  start: [startMeasure(rounds)],
  audit: auditMeasures(rounds),
}
const measures = flags.only.split(',').flatMap((name) => {
  const group = groups[name]
  if (group === undefined) throw new RangeError(`--only: ${name} is none of ${Object.keys(groups).join(', ')}`)
  return group
})

const folder = flags.folder ?? (await mkdtemp(join(tmpdir(), 'candela-growth-')))
const ledgers: Ledger[] = []
try {
  for (const size of sizes) ledgers.push(await startLedger(folder, size, Number(flags.members)))
  for (const measure of measures) await runInTurns(measure)
  for (const { db, entries } of ledgers) {
    print(`bytes at ${entries} entries:`)
    await printBytes(db, await countEntries(db))
  }
} finally {
  for (const ledger of ledgers) await ledger.stop()
  if (flags.folder === undefined) await rm(folder, { recursive: true, force: true })
}

/** Runs a measure on all ledgers, in an order that alternates. */
async function runInTurns(measure: Measure): Promise<void> {
  for (const ledger of ledgers) await measure.prepare?.(ledger)
  const took = new Map(ledgers.map((ledger) => [ledger, [] as number[][]]))
  for (let round = measure.isWarmed ? 0 : 1; round <= measure.rounds; round++) {
    for (const ledger of round % 2 === 0 ? ledgers : ledgers.toReversed()) {
      const costs = await measure.once(ledger)
      if (round > 0) took.get(ledger)?.push(costs)
    }
  }
  const [first = []] = took.values()
  for (const [nth, { name, unit }] of measure.figures.entries()) {
    const cost = (all: readonly (readonly number[])[], round: number) => all[round]?.[nth] ?? Number.NaN
    print(`${systemClock.now().toISOString().slice(11, 19)} ${name}, ${unit}:`)
    for (const [{ entries }, all] of took) {
      const costs = all.map((_, round) => cost(all, round))
      const ratios = all.map((_, round) => cost(all, round) / cost(first, round))
      print(`    ${entries} entries: ${median(costs).toFixed(1)}, ratio ${spread(ratios)}`)
    }
  }
}
