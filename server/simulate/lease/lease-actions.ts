import { readLease } from '@candela/server/db/lease/lease'
import { WORK_LEASE } from '@candela/server/jobs/start-work'
import type { ServerProcess, Work } from '../run/server-process.ts'
import { restart, type Simulation, violation } from '../run/simulation.ts'
import { mine } from '../workload/chain-actions.ts'
import { requestWithdrawal } from '../workload/member-actions.ts'
import { idleProcesses, leaders, runWork } from '../workload/process-actions.ts'
import { LEASE_MS } from './led-process.ts'
import { isStale } from './lost-lease.ts'
import { readInstant } from './stale-work.ts'

/** The events of the lease of the loops, with two workers. */

/** At most this long after it has become free somebody takes the lease. */
const LOOK_MS = LEASE_MS / 4

/** How often each kind of work is interrupted. */
const interruptedWeights = {
  payOut: 6,
  credit: 3,
  attest: 2,
  follow: 2,
  reconcile: 1,
  rollUp: 1,
  closeLending: 2,
  closeIncome: 1,
  watchLoans: 1,
} as const satisfies Partial<Record<Work, number>>

/** Makes sure that there is something to do. */
async function prepare(simulation: Simulation, kind: Work): Promise<void> {
  const { random, confirmations } = simulation
  if (kind === 'payOut') {
    // Without a comparison of now nobody may withdraw.
    for (const before of ['follow', 'credit', 'reconcile'] as const)
      await runWork(simulation, leaders(simulation)[0], before, 4)
    for (let count = 2 + random.below(3); count > 0; count--) await requestWithdrawal(simulation)
  }
  for (let blocks = 1 + random.below(confirmations.large); blocks > 0; blocks--) mine(simulation, 2, 0.9)
  if (kind !== 'follow') await runWork(simulation, leaders(simulation)[0], 'follow', 4)
}

/** Time passes for the lease, and for nothing else. */
async function wait({ clock, lease }: Simulation, duration_ms: number): Promise<void> {
  clock.advance(duration_ms)
  await lease?.follow()
}

/** The process that leads; somebody does when the lease of one that has crashed has expired. Null while it is busy. */
async function leaderOf(simulation: Simulation) {
  if (leaders(simulation).length === 0) await wait(simulation, LEASE_MS + LOOK_MS)
  const [process] = leaders(simulation)
  return process === undefined || process.leading === null ? null : { process, leading: process.leading }
}

/** The other one works a little, where it leads. */
async function otherWorks(simulation: Simulation, process: ServerProcess): Promise<void> {
  const { random } = simulation
  for (let round = random.below(3); round >= 0; round--) {
    const other = leaders(simulation).find((one) => one !== process)
    mine(simulation, 1 + random.below(5), 0.9)
    for (const kind of random.shuffled(['follow', 'credit', 'payOut', 'attest'] as const)) {
      if (other !== undefined) await runWork(simulation, other, kind, 2)
    }
  }
}

/**
 * The leader stands still between two statements or requests, mostly for so long that the other one has taken over when it goes on in
 * the middle of its work.
 */
export async function pauseLeader(simulation: Simulation): Promise<void> {
  const { random, lease, trace } = simulation
  const kind = random.weighted(interruptedWeights)
  await prepare(simulation, kind)
  const found = await leaderOf(simulation)
  if (found === null || lease === null) return
  const { process, leading } = found
  const isShort = random.chance(0.2)
  const pauses = lease.counts.pauses
  process.crashPoint.holdAfter(1 + random.below(random.chance(0.4) ? 6 : 30), async () => {
    lease.counts.pauses += 1
    trace('paused', process.name, isShort)
    leading.isPaused = true
    try {
      await wait(simulation, isShort ? LEASE_MS / 2 : 2 * LEASE_MS)
      if (!isShort) await otherWorks(simulation, process)
    } finally {
      leading.isPaused = false
    }
    if (!(await isStale(simulation, process))) return
    lease.counts.takeovers += 1
    lease.isAlone = true
    lease.before = await readInstant(simulation)
  })
  // Some work is over before.
  for (const next of [kind, 'payOut', 'credit', 'follow'] as const) {
    if (lease.counts.pauses === pauses && simulation.processes.includes(process))
      await runWork(simulation, process, next, 4)
  }
  process.crashPoint.keepGoing()
  await checkOneLeads(simulation)
}

/** The leader does not reach the lease any more, and works on while the other one has taken over: both believe that they lead. */
export async function loseLease(simulation: Simulation): Promise<void> {
  const { random, lease } = simulation
  const kind = random.weighted(interruptedWeights)
  await prepare(simulation, kind)
  const found = await leaderOf(simulation)
  if (found === null || lease === null) return
  const { process, leading } = found
  // The leader sends again what was sent and is in no block yet.
  if (kind === 'payOut' && random.chance(0.5)) await runWork(simulation, process, kind, 4)
  if (!simulation.processes.includes(process)) return
  leading.isCutOff = true
  await wait(simulation, 2 * LEASE_MS)
  if (await isStale(simulation, process)) lease.counts.takeovers += 1
  for (let round = random.below(3); round >= 0; round--) {
    if (random.chance(0.5)) await otherWorks(simulation, process)
    for (const stale of ['follow', kind] as const) {
      // It may have crashed, and another one is in its place.
      if (simulation.processes.includes(process)) await runWork(simulation, process, stale, 2)
    }
  }
  leading.isCutOff = false
  await checkOneLeads(simulation)
}

/** The leader loses the database in the middle of its work, until the other one has taken over. */
export async function loseDatabase(simulation: Simulation): Promise<void> {
  const { random } = simulation
  const kind = random.weighted(interruptedWeights)
  await prepare(simulation, kind)
  const found = await leaderOf(simulation)
  if (found === null) return
  const { process, leading } = found
  const { crashPoint } = process
  crashPoint.cutAfter(random.below(25))
  await runWork(simulation, process, kind, 2)
  leading.isCutOff = true
  await wait(simulation, 2 * LEASE_MS)
  await otherWorks(simulation, process)
  crashPoint.reconnect()
  leading.isCutOff = false
  await checkOneLeads(simulation)
}

/** The leader is stopped, as for a new version: the other one leads at once, and need not wait until the lease expires. */
export async function handOver(simulation: Simulation): Promise<void> {
  const { lease, clock } = simulation
  const found = await leaderOf(simulation)
  const [other] = idleProcesses(simulation).filter((one) => one !== found?.process)
  if (found === null || other === undefined || other.leading === null || lease === null) return
  const { process, leading } = found
  await leading.stop()
  await wait(simulation, LOOK_MS)
  lease.counts.handOvers += 1
  const holder = (await readLease(simulation.db, WORK_LEASE))?.holder
  if (other.leading.current === null || holder !== other.name) {
    throw violation(
      simulation,
      `${process.name} was stopped, and ${other.name} does not lead at ${clock.now().toISOString()}`,
    )
  }
  await restart(simulation, process)
}

/** No process works on under a lost lease once it has been told, and somebody leads. */
async function checkOneLeads(simulation: Simulation): Promise<void> {
  await wait(simulation, LEASE_MS + LOOK_MS)
  for (const process of simulation.processes) {
    if (process.leading?.hasFailed === true) throw violation(simulation, `${process.name} does not end its work`)
    if (await isStale(simulation, process)) {
      throw violation(
        simulation,
        `${process.name} works on, and could have known for ${LEASE_MS} ms that its lease is lost`,
      )
    }
  }
  if (leaders(simulation).length !== 1 && idleProcesses(simulation).length === simulation.processes.length) {
    throw violation(simulation, `${leaders(simulation).length} processes lead`)
  }
}
