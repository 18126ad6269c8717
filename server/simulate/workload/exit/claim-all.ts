import type { AssetCode } from '@candela/protocol/money/assets'
import { proofAssets } from '@candela/protocol/proof/sum-tree'
import type { Hex } from 'viem'
import { provedLeaf } from '../../model/attested-state.ts'
import type { MemberProof } from '../../oracle/owed.ts'
import type { Shares } from '../../oracle/shares.ts'
import type { Simulation } from '../../run/simulation.ts'
import { mineCall } from './mine-call.ts'
import type { ExitChecks } from './checks.ts'

/** What members have got so far, by asset and member. */
type Got = Map<string, bigint>

/**
 * Everybody claims in random order, some twice, one with another member's proof. Those whose wallets have refused claim again
 * when they take payments.
 */
export function claimAll(
  simulation: Simulation,
  checks: ExitChecks,
  proofs: readonly MemberProof[],
  shares: Shares,
): void {
  const { random, chain, trader } = simulation
  const got: Got = new Map()
  const [thief, victim] = random.shuffled(proofs)
  if (shares.isShort && victim !== undefined) {
    const early = { do: 'claim' as const, proof: provedLeaf(victim.proof) }
    checks.refused(mineCall(simulation, trader, early, shares.claimsOpenAt - 1), 'TooEarly')
  }
  for (const member of random.shuffled(proofs)) {
    if (member === thief && victim !== undefined) {
      const proof = { ...provedLeaf(victim.proof), member: thief.proof.leaf.member as Hex }
      checks.refused(
        mineCall(simulation, trader, { do: 'claim', proof }, Math.max(shares.claimsOpenAt, chain.head.timestamp + 1)),
        'NotInTree',
      )
    }
    claim(simulation, checks, member, shares, got)
    if (random.chance(0.4)) claim(simulation, checks, member, shares, got)
  }
  for (const member of random.shuffled(proofs)) {
    const owner = member.proof.leaf.member as Hex
    const isOpen = (asset: AssetCode) => stillDue(shares, got, member, asset) > 0n
    if (proofAssets.some(isOpen)) {
      checks.count('refused')
      mineCall(simulation, owner, { do: 'become', wallet: 'takes' })
      claim(simulation, checks, member, shares, got)
    }
    claim(simulation, checks, member, shares, got)
    for (const asset of proofAssets.filter(isOpen)) {
      checks.add([`member ${member.memberId} has not got all of its ${asset}`])
    }
    for (const asset of proofAssets) {
      const { due } = shares.shareOf(asset, member.memberId)
      if (gotOf(got, member, asset) > due) checks.add([`member ${member.memberId} has got more ${asset} than was due`])
    }
  }
}

const keyOf = ({ memberId }: MemberProof, asset: AssetCode): string => `${asset} ${memberId}`

const gotOf = (got: Got, member: MemberProof, asset: AssetCode): bigint => got.get(keyOf(member, asset)) ?? 0n

const stillDue = ({ shareOf }: Shares, got: Got, member: MemberProof, asset: AssetCode): bigint =>
  shareOf(asset, member.memberId).amount - gotOf(got, member, asset)

/** One claim: the member gets exactly what is still due to it of what its wallet takes, or the claim is refused. */
function claim(simulation: Simulation, checks: ExitChecks, member: MemberProof, shares: Shares, got: Got): void {
  const { chain, trader } = simulation
  const owner = member.proof.leaf.member as Hex
  const wallet = chain.head.state.walletOf(owner)
  const takes = (asset: AssetCode): boolean =>
    asset === 'JU' ? wallet === 'takes' || wallet === 'returns' : wallet !== 'refuses'
  const wanted = proofAssets.map((asset) => (takes(asset) ? stillDue(shares, got, member, asset) : 0n))
  const balances = () => proofAssets.map((asset) => chain.head.state.balance(asset, owner))
  const before = balances()
  const call = { do: 'claim' as const, proof: provedLeaf(member.proof) }
  const receipt = mineCall(simulation, trader, call, Math.max(shares.claimsOpenAt, chain.head.timestamp + 1))
  if (wanted.some((amount) => amount > 0n)) {
    checks.done(receipt)
    checks.count('claims')
  } else checks.refused(receipt, 'NothingToClaim')
  const after = balances()
  for (const [index, asset] of proofAssets.entries()) {
    const moved = (after[index] ?? 0n) - (before[index] ?? 0n)
    got.set(keyOf(member, asset), gotOf(got, member, asset) + moved)
    if (moved !== wanted[index])
      checks.add([`member ${member.memberId} has got ${moved} of ${asset} instead of ${wanted[index]}`])
  }
}
