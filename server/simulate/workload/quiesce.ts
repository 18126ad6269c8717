import { noFaults } from '../faults/fault-profile.ts'
import { lendingWorks } from '../run/server-process.ts'
import { type Simulation, throwFirstViolation, violation } from '../run/simulation.ts'
import { mine, send } from './chain-actions.ts'
import { arriveLate, retryPendingCommands } from './run-command.ts'
import { approveReviewed, restartScheduledCrashes, resumeAfterHalt, runWork } from './process-actions.ts'

/**
 * Stops all faults and lets the service and the chain work until nothing changes any more.
 * @throws InvariantViolation when work is left over after all rounds
 */
export async function quiesce(simulation: Simulation): Promise<void> {
  const { network, chain, members, strangers } = simulation
  simulation.trace('quiesce')
  network.profile = noFaults
  network.branch = null
  network.gasPrice = 10n ** 9n
  await restartScheduledCrashes(simulation)
  await arriveLate(simulation)
  await retryPendingCommands(simulation)
  // Requests arrive that were held up while the others were sent again.
  await arriveLate(simulation)
  for (let round = 0; round < 40; round++) {
    fillGaps(simulation)
    if (round < 2) {
      // Twice, because transactions that were sent before may be mined after the first ones.
      send(simulation, strangers[0], { do: 'pause', paused: false })
      for (const member of members) send(simulation, member, { do: 'become', wallet: 'takes' })
    }
    // The contract's cap is per day, and failed work is retried after minutes up to an hour.
    mine(simulation, round < 8 ? 61 : round % 8 === 0 ? 86_400 : 1_801, 1)
    for (let blocks = simulation.confirmations.large; blocks > 0; blocks--) mine(simulation, 1, 1)
    const [process] = simulation.processes
    await runWork(simulation, process, 'follow', 20)
    await resumeAfterHalt(simulation)
    await approveReviewed(simulation)
    for (const kind of ['credit', 'cancelUnpaid', 'reconcile', 'payOut', 'attest', 'rollUp'] as const) {
      await runWork(simulation, process, kind, 20)
    }
    throwFirstViolation(simulation)
    if (chain.pool.size > 0 || !(await isQuiescent(simulation))) continue
    for (const kind of lendingWorks) await runWork(simulation, process, kind)
    return throwFirstViolation(simulation)
  }
  throw violation(simulation, `work is left: ${await pendingWork(simulation)}`)
}

/** Sends transactions at the nonces of dropped ones, so that those at higher nonces can be mined. */
function fillGaps(simulation: Simulation): void {
  const { chain, members, strangers, trader } = simulation
  for (const from of [...members, ...strangers, trader]) {
    const isBlocked = () => {
      const next = chain.nextNonce(from)
      return [...chain.pool.values()].some((one) => one.from === from && one.nonce > next)
    }
    while (isBlocked()) send(simulation, from, { do: 'nothing' })
  }
}

/** True when no work is left. */
async function isQuiescent(simulation: Simulation): Promise<boolean> {
  return (await pendingWork(simulation)) === ''
}

/** Describes the work that is left; empty when there is none. */
async function pendingWork({ db, chain }: Simulation): Promise<string> {
  const events = await db
    .selectFrom('chain_event')
    .select(['action', 'last_failure'])
    .where('state', '=', 'recorded')
    .execute()
  const open = await db
    .selectFrom('withdrawal')
    .select(['withdrawal_no', 'state', 'last_failure'])
    .where('state', 'in', ['review', 'queued', 'sending'])
    .execute()
  const orphans = await db.selectFrom('chain_event').select('id').where('orphaned_at', 'is not', null).execute()
  const attesting = await db.selectFrom('attestation').select('day').where('state', '=', 'signed').execute()
  const cursor = await db.selectFrom('chain_cursor').selectAll().executeTakeFirstOrThrow()
  return [
    ...events.map(({ action, last_failure }) => `${action} is not credited (${last_failure})`),
    ...open.map((one) => `${one.withdrawal_no} is ${one.state} (${one.last_failure})`),
    ...orphans.map(({ id }) => `event ${id} is off the chain`),
    ...attesting.map(({ day }) => `the attestation of ${day} is under way`),
    ...(cursor.halted_reason === null ? [] : [`crediting is halted: ${cursor.halted_reason}`]),
    ...(Number(cursor.followed) === chain.head.number ? [] : [`followed ${cursor.followed} of ${chain.head.number}`]),
  ].join('; ')
}
