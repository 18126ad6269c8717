import { connectDatabasePool, type DatabasePool } from './databases.ts'
import { runSeed, type SeedResult } from './run-seed.ts'
import type { SimulationOptions } from './simulation.ts'

/** A seed, and the Postgres on which it runs. */
export type SeedTask = SimulationOptions & { url: string; template: string; seed: number }

let pool: DatabasePool | undefined

/** The work of a worker thread for each seed. Its databases are used for all of its seeds. */
export default function runTask({ url, template, seed, ...options }: SeedTask): Promise<SeedResult> {
  pool ??= connectDatabasePool(url, template)
  return runSeed(pool, seed, options)
}
