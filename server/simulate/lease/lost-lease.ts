import type { Database } from '@candela/server/db/open'
import { readLease } from '@candela/server/db/lease/lease'
import { WORK_LEASE } from '@candela/server/jobs/start-work'
import type { ServerProcess } from '../run/server-process.ts'
import type { LeaseState } from './lease-state.ts'

/** Whether another process has taken the lease since this one has begun to work under it. */
export async function isStale({ db }: { db: Database }, { leading, name }: ServerProcess): Promise<boolean> {
  if (leading === null || leading.current === null) return false
  // The name tells, and not the number, so that a number which does not grow is found.
  return (await readLease(db, WORK_LEASE))?.holder !== name
}

/** Whether it has to be expected that this fails: the lease or the database was lost. It is counted. */
export async function isRefused(
  simulation: { db: Database; lease: LeaseState | null; trace: (...facts: readonly unknown[]) => void },
  process: ServerProcess,
  error: unknown,
): Promise<boolean> {
  const { lease, trace } = simulation
  if (lease === null || process.leading?.isRefusal(error) !== true) return false
  if (process.crashPoint.isCutOff) {
    trace('the database is lost')
    return true
  }
  if (!(await isStale(simulation, process))) return false
  lease.counts.refusals += 1
  trace('the lease is lost')
  return true
}
