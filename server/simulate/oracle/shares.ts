import type { AssetCode } from '@candela/protocol/money/assets'
import { toSums } from '@candela/protocol/proof/proof-file'
import { proofAssets } from '@candela/protocol/proof/sum-tree'
import { must } from '@candela/server/kernel/assert'
import type { Attestation } from '../model/attested-state.ts'
import type { Simulation } from '../run/simulation.ts'
import type { MemberProof } from './owed.ts'
import { paidBetween } from './paid-events.ts'

/**
 * The share of one member: what is owed less what was paid since, what it gets of that at first, and what it then lacks. `settled` is
 * its part of what is short less what was paid since.
 */
type Share = { paid: bigint; due: bigint; amount: bigint; lacking: bigint; settled: bigint }

/**
 * Computes what each member must get, per asset, from its leaf, the contract's `Paid` events since the attested block and what the
 * contract holds. To be called right after exit mode has begun.
 */
export function shareOut(simulation: Simulation, last: Attestation, proofs: readonly MemberProof[]) {
  const { chain, contracts } = simulation
  const { state, number } = chain.head
  const paidTo = paidBetween(simulation, last.block, number)
  const assets = proofAssets.map((asset, index) => {
    const held = state.balance(asset, contracts.gateway)
    const attested = must(last.sums[index], 'one sum an asset')
    const isShort = held < attested
    const shares = new Map<bigint, Share>(
      proofs.map(({ memberId, proof }) => {
        const owed = must(toSums(proof.leaf.owed)[index], 'one amount an asset')
        const since = paidTo(asset, proof.leaf.member)
        const paid = since < owed ? since : owed
        const due = held === 0n ? 0n : owed - paid
        const part = isShort ? (owed * held) / attested : owed
        const amount = due === 0n || part <= paid ? 0n : part - paid
        const settled = isShort && due !== 0n ? part - paid : 0n
        return [memberId, { paid, due, amount, lacking: due - amount, settled }]
      }),
    )
    return { asset, held, isShort, shares }
  })
  const assetOf = (asset: AssetCode) =>
    must(
      assets.find((one) => one.asset === asset),
      'an asset of the proof',
    )
  const shareOf = (asset: AssetCode, memberId: bigint): Share =>
    must(assetOf(asset).shares.get(memberId), 'a member with a proof')
  return { assets, assetOf, shareOf }
}

export type Shares = ReturnType<typeof shareOut>
