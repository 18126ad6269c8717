import { type Database, type DatabaseOptions, openDatabase } from '../db/open.ts'
import type { LedWork } from './lead.ts'
import { startWorker } from './worker.ts'
import type { ChainSettings } from '../chain/settings.ts'
import { fenceSending } from './fence-sending.ts'
import { periodicTasks } from './periodic-tasks.ts'
import { type LoopParts, startLoops } from './start-loops.ts'

/** The one lease under which all loops and periodic tasks run. */
export const WORK_LEASE = 'work'

/** Loops wait mostly for the node, and few of them for the database at the same time. */
const WORK_POOL = 8

/** The parts of the loops, but for what is made anew with each taking of the lease. */
export type WorkParts = Omit<LoopParts, 'config' | 'db' | 'databaseUrl'> & {
  config: { chain: ChainSettings; database: { url: string; directUrl: string; isPrepared: boolean } }
}

/** Connections that write nothing once the lease of the work has another number. */
export const openWorkDatabase = (
  options: Pick<DatabaseOptions, 'url' | 'isPrepared' | 'log'>,
  number: bigint,
): Database => openDatabase({ ...options, poolSize: WORK_POOL, fence: { lease: WORK_LEASE, number } })

/**
 * Starts all loops and periodic tasks on connections of their own that write nothing once the lease has another number. All
 * that they keep in memory begins anew, because another server may have worked since it was kept.
 */
export async function startWork(parts: WorkParts, number: bigint): Promise<LedWork> {
  const { config, clock, log, watch } = parts
  const { url, directUrl, isPrepared } = config.database
  const db = openWorkDatabase({ url, isPrepared, log }, number)
  const stops: (() => Promise<unknown>)[] = [() => db.destroy()]
  const stop = async (): Promise<void> => {
    for (let next = stops.pop(); next !== undefined; next = stops.pop()) await next()
    watch.lastAt = null
  }
  try {
    const payouts = fenceSending(parts.payouts, db)
    const loops = startLoops({ ...parts, config: config.chain, db, databaseUrl: directUrl, payouts })
    stops.push(() => Promise.all(loops.map((loop) => loop.stop())))
    const tasks = periodicTasks(db, clock, config.chain.confirmations.large)
    const worker = await startWorker({ databaseUrl: directUrl, tasks, log })
    stops.push(() => worker.stop())
    return { stop }
  } catch (error) {
    await stop()
    throw error
  }
}
