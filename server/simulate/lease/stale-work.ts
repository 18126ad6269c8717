import { readLease } from '@candela/server/db/lease/lease'
import { WORK_LEASE } from '@candela/server/main/start-work'
import type { ServerProcess } from '../run/server-process.ts'
import { type Simulation, violation } from '../run/simulation.ts'
import { digestOf } from './lease-time.ts'

/** Whether another process has taken the lease since this one has begun to work under it. */
export async function isStale({ db }: Pick<Simulation, 'db'>, { leading, name }: ServerProcess): Promise<boolean> {
  if (leading === null || leading.current === null) return false
  // The name tells, and not the number, so that a number which does not grow is found.
  return (await readLease(db, WORK_LEASE))?.holder !== name
}

/** Whether it has to be expected that this fails: the lease or the database was lost. It is counted. */
export async function isRefused(
  simulation: Pick<Simulation, 'db' | 'lease' | 'trace'>,
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

/** What is in the database, and how much was sent, at one instant. */
export type Instant = { rows: readonly string[]; sent: number }

export const readInstant = async ({ db, network }: Simulation): Promise<Instant> => ({
  rows: await digestOf(db),
  sent: network.sent,
})

/** Nothing was written since, nor sent to the chain. */
export async function checkNothingDone(
  simulation: Simulation,
  process: ServerProcess,
  before: Instant,
  { maySend }: { maySend: number },
): Promise<void> {
  const after = await readInstant(simulation)
  const changed = after.rows.filter((row) => !before.rows.includes(row)).map((row) => row.split(' ')[0])
  if (changed.length > 0) {
    throw violation(simulation, `${process.name} has lost its lease and wrote to ${changed.join(', ')}`)
  }
  // The one that was about to be sent when a process was paused may be sent afterwards, which changes nothing.
  if (after.sent - before.sent > maySend) {
    throw violation(simulation, `${process.name} has lost its lease and sends to the chain`)
  }
}
