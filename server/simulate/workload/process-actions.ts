import { RpcError } from '@candela/server/chain/ask'
import { resumeCrediting } from '@candela/server/chain/follow/start-following'
import { readFollowerStatus } from '@candela/server/chain/follow/status'
import { transaction } from '@candela/server/db/open'
import { approveWithdrawal } from '@candela/server/modules/withdraw/review'
import { reasonOf } from '@candela/server/kernel/errors'
import { noFaults } from '../faults/fault-profile.ts'
import { checkEnded, readEnded } from '../oracle/kept-fees.ts'
import { checkLiquidations } from '../oracle/liquidations.ts'
import { checkSigned, readSigned } from '../oracle/signed-payouts.ts'
import { isStale } from '../lease/lost-lease.ts'
import { checkNothingDone, readInstant } from '../lease/stale-work.ts'
import { saveProofs } from './save-proofs.ts'
import type { ServerProcess, Work } from '../run/server-process.ts'
import { attempt, restart, type Simulation, violation } from '../run/simulation.ts'

/** The acts of the processes of the service and of their operator. */

/** Work that asks nodes, and what follows from their prices. */
const askingWorks = ['follow', 'credit', 'payOut', 'attest', 'reconcile', 'observePrices', 'watchLoans'] as const

/** Processes in which nothing is running. */
export const idleProcesses = ({ processes, busy }: Simulation): ServerProcess[] =>
  processes.filter((process) => !busy.has(process))

/** Processes in which nothing is running and that believe that they lead; all of them where there is no lease. */
export const leaders = (simulation: Simulation): ServerProcess[] =>
  idleProcesses(simulation).filter(({ leading }) => leading === null || leading.current !== null)

/**
 * Lets a process run one kind of work, repeatedly while there is more of it and at most `rounds` times. Where work is done under a
 * lease and this process has none, another one does it, if there is one.
 */
export async function runWork(
  simulation: Simulation,
  asked: ServerProcess | undefined,
  kind: Work,
  rounds = 1,
): Promise<void> {
  const { network, lease } = simulation
  if (asked === undefined || lease?.isAlone === true) return
  await lease?.follow()
  const process = asked.leading !== null && asked.leading.current === null ? leaders(simulation)[0] : asked
  if (process === undefined) return
  const [signed, ended] = [await readSigned(simulation), await readEnded(simulation)]
  simulation.trace(process.name, kind)
  const { profile } = network
  // For historical blocks the follower requests ahead while it writes. Interleaved steps would then depend on which of both
  // is faster, and the seed would not repeat.
  // Reading pairs sends several requests at once, for which the same holds.
  const isAhead = kind === 'observePrices' || (kind === 'follow' && (await blocksBehind(simulation)) > 28)
  if (isAhead) process.crashPoint.keepGoing()
  const before = (await isStale(simulation, process)) ? await readInstant(simulation) : null
  if (lease !== null && before !== null) {
    lease.counts.staleWorks += 1
    lease.isAlone = true
  }
  if (isAhead) network.profile = { ...profile, interleaving: 0 }
  try {
    for (let round = 0; round < rounds; round++) {
      const hasMore = await attempt(simulation, process, () => process.work(kind))
      // Undefined means that it failed; it is then tried again, as the server's loops do.
      if (hasMore === false || process.crashPoint.isReached) break
    }
  } finally {
    if (network.profile !== profile) network.profile = profile
    if (lease !== null && (before !== null || lease.before !== null)) {
      const since = before ?? lease.before
      lease.isAlone = false
      lease.before = null
      if (since !== null) await checkNothingDone(simulation, process, since, { maySend: before === null ? 1 : 0 })
    }
  }
  if (kind === 'credit') await checkCredits(simulation)
  if (kind === 'attest') await saveProofs(simulation)
  if (kind === 'watchLoans') await checkLiquidations(simulation)
  if (kind === 'payOut') {
    await checkSigned(simulation, signed)
    await checkEnded(simulation, ended)
  }
}

/** Lets a process follow the chain while all of its nodes serve the other branch. */
export async function followBranch(simulation: Simulation): Promise<void> {
  const { network, random } = simulation
  const idle = idleProcesses(simulation)
  const [process] = random.chance(0.5) ? idle : idle.toReversed()
  if (network.branch === null) return
  const { profile } = network
  network.profile = { ...noFaults, forkedNode: 1 }
  try {
    await runWork(simulation, process, 'follow', 3)
  } finally {
    network.profile = profile
  }
}

/** Lets a process follow, credit and compare while every node it reaches follows another chain. */
export async function followOtherChain(simulation: Simulation): Promise<void> {
  const { network } = simulation
  const { profile } = network
  network.profile = { ...noFaults, otherChain: 1 }
  try {
    for (const kind of askingWorks) {
      await runWork(simulation, idleProcesses(simulation)[0], kind, 3)
    }
  } finally {
    network.profile = profile
  }
}

/** Time passes, and every node repeats the head that it had. What is known of the chain must be seen to grow old. */
export async function stallNodes(simulation: Simulation): Promise<void> {
  const { network, chain, clock, random } = simulation
  if (network.stalledAt !== null) return
  network.stalledAt = chain.head
  try {
    clock.advance((60 + random.below(7_200)) * 1000)
    for (const kind of askingWorks) {
      await runWork(simulation, idleProcesses(simulation)[0], kind, 3)
    }
    await checkAge(simulation)
  } finally {
    network.stalledAt = null
  }
}

/**
 * The known chain is no younger than the newest block that a node can have shown, up to what the service knows. That block may be newer
 * than the chain's head now: a reorganisation can replace blocks by older ones.
 */
async function checkAge(simulation: Simulation): Promise<void> {
  const { db, clock, chain } = simulation
  const status = await readFollowerStatus(db, clock.now())
  if (status === null) return
  // The head that was announced last may be that of a node behind what is followed.
  const highest = status.head > status.followed ? status.head : status.followed
  const shown = [...chain.blocks.values()].filter(({ number }) => number <= highest)
  const age_s = clock.now().getTime() / 1000 - Math.max(...shown.map(({ timestamp }) => timestamp))
  if (status.lag_s < age_s)
    throw violation(simulation, `the head is at least ${age_s} s old and counts as ${status.lag_s} s old`)
}

/** Both processes run the same kind of work concurrently. Nothing random happens meanwhile, so that the seed repeats. */
export async function race(simulation: Simulation): Promise<void> {
  const { network, random, processes, busy } = simulation
  // One of two that believe that they lead is refused at any of its statements.
  if (simulation.lease !== null) return
  if (processes.some((process) => busy.has(process) || process.crashPoint.isScheduled)) return
  const kind = random.pick(['follow', 'credit', 'payOut', 'attest', 'closeLending', 'closeIncome'] as const)
  simulation.trace('race', kind)
  const ended = await readEnded(simulation)
  const { profile } = network
  network.profile = noFaults
  try {
    const runAll = async (process: ServerProcess) => {
      for (let round = 0; round < 8 && (await process.work(kind)); round++);
    }
    const results = await Promise.allSettled(processes.map(runAll))
    for (const result of results) {
      // An RpcError is expected: the other process may have done the work already.
      if (result.status === 'fulfilled' || result.reason instanceof RpcError) continue
      throw violation(simulation, `race of ${kind}: ${reasonOf(result.reason)}`, result.reason)
    }
  } finally {
    network.profile = profile
  }
  if (kind === 'credit') await checkCredits(simulation)
  await checkEnded(simulation, ended)
}

/** Resumes crediting after a halt, as an operator does once every credited payment is on the chain again. */
export async function resumeAfterHalt({ db }: Simulation): Promise<void> {
  const orphaned = await db.selectFrom('chain_event').select('id').where('orphaned_at', 'is not', null).execute()
  if (orphaned.length === 0) await transaction(db, resumeCrediting)
}

/** An operator approves whatever waits for review, so that it goes on. */
export async function approveReviewed({ db, clock, trace }: Simulation): Promise<void> {
  const waiting = await db.selectFrom('withdrawal').select('withdrawal_no').where('state', '=', 'review').execute()
  for (const { withdrawal_no } of waiting) {
    trace('approved', withdrawal_no)
    await transaction(db, (tx) => approveWithdrawal(tx, withdrawal_no, ['ada', 'bob'], clock.now()))
  }
}

/** Restarts the processes that would crash, so that no process crashes from here on. */
export async function restartScheduledCrashes(simulation: Simulation): Promise<void> {
  for (const process of simulation.processes.slice()) {
    if (process.crashPoint.isScheduled) await restart(simulation, process)
  }
}

async function blocksBehind({ db, chain }: Simulation): Promise<number> {
  const { followed } = await db.selectFrom('chain_cursor').select('followed').executeTakeFirstOrThrow()
  return chain.head.number - Number(followed)
}

/** Nothing may be credited that a reorganisation can still remove. */
async function checkCredits(simulation: Simulation): Promise<void> {
  const { db, chain, network, hadDeepReorganisation } = simulation
  if (hadDeepReorganisation) return
  const rows = await db
    .selectFrom('chain_event')
    .select(['tx_hash', 'block_hash', 'block_number', 'confirmations_needed'])
    .where('state', '=', 'credited')
    .where('block_number', '>', BigInt(network.finalHeight() - 40))
    .execute()
  for (const { tx_hash, block_number, block_hash, confirmations_needed } of rows) {
    const limit = BigInt(chain.highestShown - confirmations_needed + 1)
    if (block_number > limit) {
      throw violation(simulation, `${tx_hash} in block ${block_number} was credited before block ${limit}`)
    }
    if (chain.at(chain.head, Number(block_number))?.hash !== block_hash) {
      throw violation(simulation, `${tx_hash} was credited in a block that is not on the chain`)
    }
  }
}
