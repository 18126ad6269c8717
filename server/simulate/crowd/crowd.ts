import { transaction } from '@candela/server/db/open'
import { stopwatch } from '@candela/server/kernel/clock'
import { reasonOf } from '@candela/server/kernel/errors'
import { bookDust } from '@candela/server/modules/deposit/dust/book-dust'
import type { DatabasePool } from '../run/databases.ts'
import type { Work } from '../run/server-process.ts'
import { throwFirstViolation } from '../run/simulation.ts'
import { mine } from '../workload/chain-actions.ts'
import { arriveLate, retryPendingCommands } from '../workload/run-command.ts'
import { runWork } from '../workload/process-actions.ts'
import { crowdAct, honestAct, outrun, spreadDust, standInFront } from './acts.ts'
import { type Crowd, openCrowd } from './open-crowd.ts'
import {
  booksAreRight,
  dustIsGathered,
  expectOldestFirst,
  lookAtQueue,
  rowsOfIdle,
  treeIsSmall,
  intentsAreDoneOnce,
} from './oracles.ts'

export type CrowdResult = { seed: number; findings: string[]; counts: Record<string, number>; took_ms: number }

const DAYS = 3
const ROUNDS_A_DAY = 12

/** Runs three days of a crowd beside honest members, and checks what the crowd must not be able to do. */
export async function runCrowd(pool: DatabasePool, seed: number): Promise<CrowdResult> {
  const elapsed = stopwatch()
  await using database = await pool.open()
  const crowd = await openCrowd(seed, database)
  const { findings, counts, simulation } = crowd
  try {
    let rows: number | undefined
    spreadDust(crowd)
    for (let day = 0; day < DAYS; day++) {
      for (let round = 0; round < ROUNDS_A_DAY; round++) {
        if (round === 0) await outrun(crowd)
        if (round === 3) await standInFront(crowd)
        await runRound(crowd)
      }
      await endDay(crowd)
      const now = await rowsOfIdle(crowd)
      if (rows !== undefined && now > rows)
        findings.push(`a day made ${now - rows} rows for ${crowd.idle.length} accounts that are owed nothing`)
      rows = now
      findings.push(...(await treeIsSmall(crowd)))
    }
    await settleAll(crowd)
    for (const check of [intentsAreDoneOnce, dustIsGathered, booksAreRight]) findings.push(...(await check(crowd)))
  } catch (error) {
    findings.push(reasonOf(error))
  }
  for (const { leading } of simulation.allProcesses) await leading?.kill()
  return { seed, findings, counts, took_ms: elapsed() }
}

const work = async ({ simulation }: Crowd, ...kinds: readonly Work[]): Promise<void> => {
  for (const kind of kinds) await runWork(simulation, simulation.processes[0], kind, 20)
}

/** Everybody acts; then all that was paid is in blocks, and what may be signed now is. */
async function runRound(crowd: Crowd): Promise<void> {
  const { simulation } = crowd
  const { random, confirmations } = simulation
  for (let left = 2 + random.below(4); left > 0; left--) await crowdAct(crowd)
  for (let left = 1 + random.below(3); left > 0; left--) await honestAct(crowd)
  if (random.chance(0.5)) await arriveLate(simulation)
  if (random.chance(0.5)) await retryPendingCommands(simulation)
  mine(simulation, random.pick([5, 60, 1_800, 3_600]), 1)
  for (let blocks = confirmations.large; blocks > 0; blocks--) mine(simulation, 2, 1)
  await work(crowd, 'observePrices', 'follow', 'credit', 'reconcile')
  const queued = await lookAtQueue(crowd)
  await work(crowd, 'payOut')
  await expectOldestFirst(crowd, queued)
  crowd.round += 1
  throwFirstViolation(simulation)
}

/** The day ends on chain, is closed and attested, and its dust is booked. */
async function endDay(crowd: Crowd): Promise<void> {
  const { simulation } = crowd
  const { chain, confirmations, clock, db } = simulation
  const blocks = () => {
    for (let left = confirmations.large; left > 0; left--) mine(simulation, 2, 1)
  }
  mine(simulation, 86_400 - (chain.head.timestamp % 86_400) + 1_860, 1)
  blocks()
  await work(crowd, 'observePrices', 'follow', 'credit', 'closeLending', 'closeIncome', 'reconcile')
  while ((await transaction(db, (tx) => bookDust(tx, clock.now(), 100))) > 0);
  for (let round = 0; round < 3; round++) {
    await work(crowd, 'attest')
    blocks()
    await work(crowd, 'follow', 'credit')
  }
  throwFirstViolation(simulation)
}

async function settleAll(crowd: Crowd): Promise<void> {
  await arriveLate(crowd.simulation)
  await retryPendingCommands(crowd.simulation)
  await arriveLate(crowd.simulation)
  await endDay(crowd)
}
