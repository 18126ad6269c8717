import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { Tinypool } from 'tinypool'
import type { DatabasePool } from './databases.ts'
import type { SeedResult } from './run-seed.ts'
import type { SimulationOptions } from './simulation.ts'

const seedWorker = fileURLToPath(new URL('seed-worker.ts', import.meta.url))

export type RunOptions = {
  threads: number
  /** The worker's module, by default that of this checkout. */
  script?: string
}

/**
 * Runs seeds on worker threads, at most `threads` at a time. Results come in the order of the seeds; a consumer that stops
 * reading them ends the threads.
 * @throws what a worker throws
 */
export function runSeeds(
  pool: Pick<DatabasePool, 'url' | 'template'>,
  seeds: readonly number[],
  options: RunOptions & SimulationOptions,
): AsyncGenerator<SeedResult> {
  return runOnThreads<SeedResult>(pool, seeds, { script: seedWorker, ...options })
}

/** The same for another worker, which gets the options besides the database and the seed. */
export async function* runOnThreads<Result>(
  { url, template }: Pick<DatabasePool, 'url' | 'template'>,
  seeds: readonly number[],
  { threads: limit, script, ...options }: RunOptions & { script: string },
): AsyncGenerator<Result> {
  const count = Math.min(limit, seeds.length)
  // Waiting with atomics would block the thread, and with it the connections to Postgres.
  const threads = new Tinypool({ filename: script, minThreads: count, maxThreads: count, useAtomics: false })
  const run = (seed: number): Promise<Result> => threads.run({ url, template, seed, ...options })
  try {
    yield* Readable.from(seeds).map(run, { concurrency: count }) as AsyncIterable<Result>
  } finally {
    await threads.destroy()
  }
}
