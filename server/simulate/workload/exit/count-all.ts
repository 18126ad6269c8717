import { proofAssets } from '@candela/protocol/proof/sum-tree'
import { provedLeaf } from '../../model/attested-state.ts'
import type { MemberProof } from '../../oracle/owed.ts'
import type { Shares } from '../../oracle/shares.ts'
import type { Simulation } from '../../run/simulation.ts'
import { mineCall } from './mine-call.ts'
import type { ExitChecks } from './checks.ts'

/** Everybody who was paid since is counted, where the contract holds less than was attested; and each only once. */
export function countAll(
  simulation: Simulation,
  checks: ExitChecks,
  proofs: readonly MemberProof[],
  { isShort, shareOf }: Shares,
): void {
  const { random, trader } = simulation
  if (isShort) checks.count('short')
  for (const { memberId, proof } of random.shuffled(proofs)) {
    const count = () => mineCall(simulation, trader, { do: 'countPaid', proof: provedLeaf(proof) })
    if (!isShort) {
      checks.refused(count(), 'ClaimsAreOpen')
      continue
    }
    if (random.chance(0.3)) {
      checks.refused(mineCall(simulation, trader, { do: 'claim', proof: provedLeaf(proof) }), 'TooEarly')
    }
    if (proofAssets.some((asset) => shareOf(asset, memberId).paid > 0n)) {
      checks.done(count())
      checks.count('counted')
    }
    if (random.chance(0.5)) checks.refused(count(), 'NothingToCount')
  }
}
