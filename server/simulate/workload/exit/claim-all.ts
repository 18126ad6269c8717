import { proofAssets } from '@candela/protocol/proof/sum-tree'
import type { Hex } from 'viem'
import { provedLeaf } from '../../model/attested-state.ts'
import type { MemberProof } from '../../oracle/owed.ts'
import type { Shares } from '../../oracle/shares.ts'
import type { Simulation } from '../../run/simulation.ts'
import { Claims, type Wanted } from './claims.ts'
import type { ExitChecks } from './checks.ts'
import { mineCall } from './mine-call.ts'

/**
 * Everybody claims in random order, some twice, one with another member's proof, and at times one not in the first year. Those whose
 * wallets have refused claim again when they take payments. A year later all claim again.
 */
export function claimAll(
  simulation: Simulation,
  checks: ExitChecks,
  proofs: readonly MemberProof[],
  shares: Shares,
): void {
  const { random, chain, trader } = simulation
  const claims = new Claims(simulation, checks)
  const [thief, victim] = random.shuffled(proofs)
  const late = random.chance(0.4) ? random.pick(proofs) : undefined
  const first: Wanted = ({ memberId }, asset) => {
    const { amount, lacking } = shares.shareOf(asset, memberId)
    return amount === 0n && lacking === 0n ? null : amount
  }
  if (shares.assets.some(({ isShort }) => isShort)) checks.count('short')
  for (const member of random.shuffled(proofs.filter((one) => one !== late))) {
    if (member === thief && victim !== undefined) {
      const proof = { ...provedLeaf(victim.proof), member: thief.proof.leaf.member as Hex }
      checks.refused(mineCall(simulation, trader, { do: 'claim', proof }), 'NotInTree')
    }
    claims.claim(member, 1, first)
    if (random.chance(0.4)) claims.claim(member, 1, first)
  }
  for (const member of random.shuffled(proofs.filter((one) => one !== late))) {
    const isOpen = proofAssets.some((asset) => first(member, asset) !== null && !claims.hasClaimed(member, asset, 1))
    if (isOpen) {
      checks.count('refused')
      takesAgain(simulation, member)
      claims.claim(member, 1, first)
    }
    claims.claim(member, 1, first)
    for (const asset of proofAssets) {
      if (claims.got(member, asset) !== shares.shareOf(asset, member.memberId).amount)
        checks.add([`member ${member.memberId} has not got its first share of ${asset}`])
    }
  }
  // Of each asset the year begins with the first claim that lacks something.
  const { shared } = chain.head.state.attested
  const year = Math.max(...proofAssets.map((asset) => shared[asset].sharedAgainAt))
  for (const member of proofs) takesAgain(simulation, member)
  mineCall(simulation, trader, { do: 'nothing' }, Math.max(year, chain.head.timestamp + 1))
  shareAgain(simulation, checks, proofs, shares, claims)
}

function takesAgain(simulation: Simulation, { proof }: MemberProof): void {
  mineCall(simulation, proof.leaf.member as Hex, { do: 'become', wallet: 'takes' })
}

/** What is left goes to those who have claimed, up to their leaves; where enough was held, who comes late gets its leaf. */
function shareAgain(
  simulation: Simulation,
  checks: ExitChecks,
  proofs: readonly MemberProof[],
  { assets, shareOf, assetOf }: Shares,
  claims: Claims,
): void {
  const { random, chain, contracts } = simulation
  const rest = new Map(
    assets.map(({ asset }) => {
      const claimed = proofs.filter((member) => claims.hasClaimed(member, asset, 1))
      const lacking = claimed.reduce((sum, { memberId }) => sum + shareOf(asset, memberId).lacking, 0n)
      return [asset, { lacking, left: chain.head.state.balance(asset, contracts.gateway) }]
    }),
  )
  const again: Wanted = (member, asset) => {
    const { amount, lacking } = shareOf(asset, member.memberId)
    const { lacking: toAll, left } = rest.get(asset) ?? { lacking: 0n, left: 0n }
    // Where nobody has lacked anything yet, the year has not begun.
    if (!claims.hasClaimed(member, asset, 1))
      return (assetOf(asset).isShort && toAll !== 0n) || amount === 0n ? null : amount
    const part = left < toAll ? (lacking * left) / toAll : lacking
    return part === 0n ? null : part
  }
  for (const member of random.shuffled(proofs)) {
    claims.claim(member, 2, again)
    if (random.chance(0.3)) claims.claim(member, 2, again)
  }
  for (const { asset, held, isShort } of assets) {
    const given = proofs.reduce((sum, member) => sum + claims.got(member, asset), 0n)
    const found = chain.head.state.balance(asset, contracts.gateway)
    if (found !== held - given) checks.add([`${found} of ${asset} is left of ${held}, of which ${given} was claimed`])
    for (const member of proofs) {
      if (claims.got(member, asset) > shareOf(asset, member.memberId).due)
        checks.add([`member ${member.memberId} has got more ${asset} than was due`])
    }
    const { lacking, left } = rest.get(asset) ?? { lacking: 0n, left: 0n }
    // Of what was too little for all, nothing but what rounding down has left.
    const isDust = found < BigInt(2 * proofs.length)
    if (isShort && lacking > left && !isDust) checks.add([`${found} of ${asset} is left although members lack it`])
  }
}
