import { attestationsAreOnChain } from '../../oracle/attestations.ts'
import { noUnexpectedErrors } from '../../oracle/oracle.ts'
import { leavesAreOwed, readProofs, snapshotsAreOwed } from '../../oracle/owed.ts'
import { shareOut } from '../../oracle/shares.ts'
import { EXIT_DELAY_S, isOpening } from '../../model/attested-state.ts'
import { type Simulation, throwFirstViolation } from '../../run/simulation.ts'
import { mineCall } from './mine-call.ts'
import { ExitChecks } from './checks.ts'
import { claimAll } from './claim-all.ts'
import { stopForGood } from './stop-for-good.ts'
import { withoutService } from './without-service.ts'
import { assetCodes } from '@candela/protocol/money/assets'
import { DAY_MS } from '@candela/protocol/units'
import type { Call } from '../../model/calls.ts'
import { hashOf } from '../../model/chain-model.ts'

/** In exit mode nothing is paid, attested, recharged or taken any more, and it does not begin again. */
function refuseAll(simulation: Simulation, checks: ExitChecks): void {
  const { chain, contracts, members, transactions } = simulation
  const [member = contracts.owner] = members
  const { last } = chain.head.state.attested
  const id = hashOf(['after the exit', transactions])
  const attest: Call = {
    do: 'attest',
    day: BigInt(Math.floor((chain.head.timestamp * 1000) / DAY_MS)),
    root: id,
    sums: last.sums,
    subcoin: contracts.hash,
    leaves: 1n,
    block: BigInt(chain.head.number),
    sequence: last.sequence,
  }
  if (chain.head.state.isPaused()) checks.done(mineCall(simulation, contracts.owner, { do: 'pause', paused: false }))
  checks.refused(mineCall(simulation, contracts.attester, attest), 'InExit')
  checks.refused(mineCall(simulation, contracts.owner, { do: 'enterExit' }), 'InExit')
  checks.refused(mineCall(simulation, member, { do: 'native', amount: 1n }), 'InExit')
  for (const asset of assetCodes) {
    const paid = { asset, amount: 1n }
    const from = { customer: member, key: 'deposit', reference: '' }
    checks.refused(mineCall(simulation, contracts.payer, { do: 'pay', id, to: member, ...paid }), 'InExit')
    checks.refused(mineCall(simulation, member, { do: 'recharge', ...from, ...paid }), 'InExit')
    checks.refused(mineCall(simulation, contracts.owner, { do: 'announceTaking', to: member, ...paid }), 'InExit')
    checks.refused(mineCall(simulation, contracts.owner, { do: 'take', asset }), 'InExit')
  }
}

/**
 * Kills the service for good and lets everybody leave the contract with what was saved before, or is in the database that was left.
 * @returns descriptions of what does not hold
 */
export async function runExit(simulation: Simulation): Promise<string[]> {
  const { chain, trader } = simulation
  await stopForGood(simulation)
  throwFirstViolation(simulation)
  withoutService(simulation)
  const checks = new ExitChecks(simulation)
  for (const check of [noUnexpectedErrors, snapshotsAreOwed, attestationsAreOnChain])
    checks.add(await check(simulation))
  const { last } = chain.head.state.attested
  if (isOpening(last)) {
    checks.count('neverAttested')
    return checks.findings
  }
  const proofs = await readProofs(simulation, last)
  for (const source of ['anotherDay', 'database'] as const)
    checks.count(`proofFrom:${source}`, proofs.filter(({ from }) => from === source).length)
  checks.add(await leavesAreOwed(simulation, last, proofs))

  const opensAt = last.attestedAt + EXIT_DELAY_S + 1
  const isEarly = chain.head.timestamp < opensAt - 1
  if (isEarly) checks.refused(mineCall(simulation, trader, { do: 'enterExit' }, opensAt - 1), 'TooEarly')
  checks.done(mineCall(simulation, trader, { do: 'enterExit' }, Math.max(opensAt, chain.head.timestamp + 1)))
  checks.count('exits')
  const shares = shareOut(simulation, last, proofs)
  refuseAll(simulation, checks)
  claimAll(simulation, checks, proofs, shares)
  refuseAll(simulation, checks)
  return checks.findings
}
