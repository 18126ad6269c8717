import { assetCodes } from '@candela/protocol/money/assets'
import { utcDay } from '@candela/protocol/calendar'
import { transaction } from '@candela/server/db/open'
import { requestAttestation } from '@candela/server/modules/proof/attest/request-attestation'
import type { Work } from '../run/server-process.ts'
import { type Simulation, WHOLE } from '../run/simulation.ts'
import { mine, send } from './chain-actions.ts'
import { requestWithdrawal } from './member-actions.ts'
import { idleProcesses, runWork } from './process-actions.ts'

/** A day's attestation becomes due: its time comes, or an operator asks for it. */
export async function makeAttestationDue(simulation: Simulation): Promise<void> {
  const { random, chain, clock, db, confirmations } = simulation
  if (random.chance(0.5)) {
    const { timestamp } = chain.head
    mine(simulation, 86_400 - (timestamp % 86_400) + 1_860 + random.below(600), 0.8)
  } else await transaction(db, (tx) => requestAttestation(tx, utcDay(clock.now()), clock.now()))
  for (let blocks = confirmations.large; blocks > 0; blocks--) mine(simulation, 2, 0.8)
  await runWork(simulation, idleProcesses(simulation)[0], 'follow', 8)
  if (random.chance(0.6)) await payShortlyBefore(simulation)
}

/**
 * Some withdrawals are paid and settled in blocks that are not final: an attestation names an earlier block, so that a claim will
 * deduct what the ledger has deducted already.
 */
async function payShortlyBefore(simulation: Simulation): Promise<void> {
  const { random, confirmations } = simulation
  for (let count = 1 + random.below(3); count > 0; count--) await requestWithdrawal(simulation)
  const work = async (kind: Work, rounds: number) => runWork(simulation, idleProcesses(simulation)[0], kind, rounds)
  await work('payOut', 4)
  for (let blocks = confirmations.normal; blocks > 0; blocks--) mine(simulation, 2, 0.9)
  await work('follow', 8)
  await work('credit', 4)
}

/** A day is attested, or nearly: everything may happen before its attestation is final. */
export async function attestDay(simulation: Simulation): Promise<void> {
  const { random, confirmations } = simulation
  await makeAttestationDue(simulation)
  for (let round = 1 + random.below(5); round > 0; round--) {
    await runWork(simulation, random.pick(idleProcesses(simulation)), 'attest')
    for (let blocks = random.below(confirmations.large + 1); blocks >= 0; blocks--) mine(simulation, 2, 0.9)
    await runWork(simulation, idleProcesses(simulation)[0], 'follow', 8)
  }
}

/**
 * The owner announces that it will take something out of the contract. It takes it only after the end of the service, whose books
 * would differ from the contract otherwise.
 */
export function announceTaking(simulation: Simulation): void {
  const { random, contracts, strangers, endsWithExit } = simulation
  if (!endsWithExit) return
  const amount = BigInt(1 + random.below(random.chance(0.3) ? 5_000 : 100)) * WHOLE
  send(simulation, contracts.owner, {
    do: 'announceTaking',
    asset: random.pick(assetCodes),
    to: random.pick(strangers),
    amount,
  })
}
