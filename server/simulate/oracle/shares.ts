import type { AssetCode } from '@candela/protocol/money/assets'
import { toSums } from '@candela/protocol/proof/proof-file'
import { proofAssets } from '@candela/protocol/proof/sum-tree'
import { must } from '@candela/server/kernel/assert'
import { type Attestation, COUNT_PERIOD_S } from '../model/attested-state.ts'
import type { Simulation } from '../run/simulation.ts'
import type { MemberProof } from './owed.ts'
import { paidBetween } from './paid-events.ts'

/** Of one member: what is owed less what was paid since, and what of it can be claimed. */
type Share = { paid: bigint; due: bigint; amount: bigint }

/**
 * What each member must get, per asset, from its leaf, the contract's `Paid` events since the attested block and what the contract
 * holds. To be called right after exit mode has begun. Everybody who was paid is counted, where counting is open.
 */
export function shareOut(simulation: Simulation, last: Attestation, proofs: readonly MemberProof[]) {
  const { chain, contracts } = simulation
  const { state, timestamp, number } = chain.head
  const paidTo = paidBetween(simulation, last.block, number)
  const isShort = proofAssets.some(
    (asset, index) => state.balance(asset, contracts.gateway) < must(last.sums[index], 'a sum'),
  )
  const assets = proofAssets.map((asset, index) => {
    const held = state.balance(asset, contracts.gateway)
    const attested = must(last.sums[index], 'one sum an asset')
    const terms = proofs.map(({ memberId, proof }) => {
      const owed = must(toSums(proof.leaf.owed)[index], 'one amount an asset')
      const since = paidTo(asset, proof.leaf.member)
      const paid = since < owed ? since : owed
      return { memberId, paid, due: owed - paid }
    })
    const paid = terms.reduce((sum, one) => sum + one.paid, 0n)
    const dueToAll = isShort ? attested - paid : attested
    const isEnough = held >= dueToAll
    const shares = new Map<bigint, Share>(
      terms.map((one) => [one.memberId, { ...one, amount: isEnough ? one.due : (one.due * held) / dueToAll }]),
    )
    /** What must be left when everybody has claimed: the surplus, or what rounding down has left. */
    const rest = (found: bigint): string[] => {
      const given = [...shares.values()].reduce((sum, { amount }) => sum + amount, 0n)
      const isRight = isEnough
        ? found === held - attested + paid
        : found === held - given && found >= 0n && found < BigInt(proofs.length)
      return isRight ? [] : [`${found} of ${asset} is left of ${held}, and ${given} was to be claimed`]
    }
    return { asset, isEnough, shares, rest }
  })
  const shareOf = (asset: AssetCode, memberId: bigint): Share => {
    const row = must(
      assets.find((one) => one.asset === asset),
      'an asset of the proof',
    )
    return must(row.shares.get(memberId), 'a member with a proof')
  }
  return { isShort, claimsOpenAt: timestamp + (isShort ? COUNT_PERIOD_S : 0), assets, shareOf }
}

export type Shares = ReturnType<typeof shareOut>
