import type { AssetCode } from '@candela/protocol/money/assets'
import { proofAssets } from '@candela/protocol/proof/sum-tree'
import type { Hex } from 'viem'
import { provedLeaf, SHARING_DELAY_S } from '../../model/attested-state.ts'
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
  // The year of each asset begins with the first claim that lacks something; where none does, there is nothing a year later either.
  const { shared } = chain.head.state.attested
  const begun = proofAssets.map((asset) => shared[asset].sharedAgainAt).filter((at) => at !== 0)
  const year = begun.length === 0 ? chain.head.timestamp + SHARING_DELAY_S : Math.max(...begun)
  for (const member of proofs) takesAgain(simulation, member)
  mineCall(simulation, trader, { do: 'nothing' }, Math.max(year, chain.head.timestamp + 1))
  shareAgain(simulation, checks, proofs, shares, claims)
}

function takesAgain(simulation: Simulation, { proof }: MemberProof): void {
  mineCall(simulation, proof.leaf.member as Hex, { do: 'become', wallet: 'takes' })
}

/**
 * The rest beside the shares of members who have not claimed goes to those who have, up to their leaves. Who comes late gets what is
 * not promised to them and not due to others.
 */
function shareAgain(
  simulation: Simulation,
  checks: ExitChecks,
  proofs: readonly MemberProof[],
  { assets, shareOf, assetOf }: Shares,
  claims: Claims,
): void {
  const { random, chain, contracts } = simulation
  const balanceOf = (asset: AssetCode) => chain.head.state.balance(asset, contracts.gateway)
  const paidOut = (asset: AssetCode) => {
    const { now, before } = chain.head.state.attested.paidInAll[asset]
    return now - before
  }
  /** @param also what is settled besides */
  const keptOf = (asset: AssetCode, also = 0n) => {
    const done = proofs.filter((one) => claims.hasClaimed(one, asset, 1) || claims.hasClaimed(one, asset, 2))
    const settled = done.reduce((sum, { memberId }) => sum + shareOf(asset, memberId).settled, also)
    return larger(assetOf(asset).held - paidOut(asset) - settled, 0n)
  }
  const inTime = new Map(
    assets.map(({ asset }) => [asset, proofs.filter((member) => claims.hasClaimed(member, asset, 1))]),
  )
  const lackingTo = (asset: AssetCode) =>
    (inTime.get(asset) ?? []).reduce((sum, { memberId }) => sum + shareOf(asset, memberId).lacking, 0n)
  const left = new Map<AssetCode, bigint>()
  const leftOf = (asset: AssetCode) => {
    const known = left.get(asset) ?? 0n
    const now = known === 0n ? larger(balanceOf(asset) - keptOf(asset), 0n) : known
    left.set(asset, now)
    return now
  }
  const partOf = (asset: AssetCode, { memberId }: MemberProof) => {
    const [lacking, toAll] = [shareOf(asset, memberId).lacking, lackingTo(asset)]
    return leftOf(asset) < toAll ? (lacking * leftOf(asset)) / toAll : lacking
  }
  const again: Wanted = (member, asset) => {
    const { amount, due, settled } = shareOf(asset, member.memberId)
    if (claims.hasClaimed(member, asset, 1)) return partOf(asset, member) || null
    const toAll = lackingTo(asset)
    // Where nobody has lacked anything yet, the year has not begun.
    if (!assetOf(asset).isShort || toAll === 0n) return amount || null
    const given = (inTime.get(asset) ?? [])
      .filter((one) => claims.hasClaimed(one, asset, 2))
      .reduce((sum, one) => sum + partOf(asset, one), 0n)
    const promised = smaller(leftOf(asset), toAll) - given
    const free = balanceOf(asset) - promised - keptOf(asset, settled)
    return larger(smaller(due, free), 0n) || null
  }
  for (const member of random.shuffled(proofs)) {
    claims.claim(member, 2, again)
    if (random.chance(0.3)) claims.claim(member, 2, again)
  }
  for (const { asset, held, isShort } of assets) {
    const given = proofs.reduce((sum, member) => sum + claims.got(member, asset), 0n)
    const found = balanceOf(asset)
    if (found !== held - given) checks.add([`${found} of ${asset} is left of ${held}, of which ${given} was claimed`])
    for (const member of proofs) {
      const { due, amount } = shareOf(asset, member.memberId)
      if (claims.got(member, asset) > due) checks.add([`member ${member.memberId} has got more ${asset} than was due`])
      if (claims.got(member, asset) + paidOut(asset) < amount)
        checks.add([`member ${member.memberId} lacks more ${asset} of its share than was paid out`])
    }
    const anyLacks = proofs.some((one) => claims.got(one, asset) < shareOf(asset, one.memberId).due)
    // The rest of what was too little for all is nothing but what rounding down has left, and what those without a leaf of their own
    // are owed.
    const isDust = found - keptOf(asset) < BigInt(2 * proofs.length)
    if (isShort && lackingTo(asset) !== 0n && anyLacks && !isDust)
      checks.add([`${found} of ${asset} is left although members lack it`])
  }
}

const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other)
const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other)
