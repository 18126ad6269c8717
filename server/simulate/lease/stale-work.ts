import type { ServerProcess } from '../run/server-process.ts'
import { type Simulation, violation } from '../run/simulation.ts'
import type { Instant } from './lease-state.ts'
import { digestOf } from './lease-time.ts'

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
