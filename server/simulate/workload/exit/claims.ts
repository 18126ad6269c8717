import type { AssetCode } from '@candela/protocol/money/assets'
import { proofAssets } from '@candela/protocol/proof/sum-tree'
import type { Hex } from 'viem'
import { provedLeaf } from '../../model/attested-state.ts'
import type { MemberProof } from '../../oracle/owed.ts'
import type { Simulation } from '../../run/simulation.ts'
import type { ExitChecks } from './checks.ts'
import { mineCall } from './mine-call.ts'

/** The amount that a claim must give of an asset; null when it must change nothing. Zero counts as a claim. */
export type Wanted = (member: MemberProof, asset: AssetCode) => bigint | null

/** The amounts that members have got, and of what they have claimed, by asset and member. */
export class Claims {
  private readonly amounts = new Map<string, bigint>()
  private readonly done = new Set<string>()
  private readonly simulation: Simulation
  private readonly checks: ExitChecks

  constructor(simulation: Simulation, checks: ExitChecks) {
    this.simulation = simulation
    this.checks = checks
  }

  got = (member: MemberProof, asset: AssetCode): bigint => this.amounts.get(keyOf(member, asset)) ?? 0n

  hasClaimed = (member: MemberProof, asset: AssetCode, round: 1 | 2): boolean =>
    this.done.has(`${round} ${keyOf(member, asset)}`)

  /** One claim: the member gets exactly what is wanted of what its wallet takes, or the claim is refused. */
  claim(member: MemberProof, round: 1 | 2, wantedOf: Wanted): void {
    const { chain, trader } = this.simulation
    const owner = member.proof.leaf.member as Hex
    const wallet = chain.head.state.walletOf(owner)
    const takes = (asset: AssetCode): boolean =>
      asset === 'JU' ? wallet === 'takes' || wallet === 'returns' : wallet !== 'refuses'
    const wanted = proofAssets.map((asset) => {
      const amount = this.hasClaimed(member, asset, round) ? null : wantedOf(member, asset)
      return amount === null || !takes(asset) ? null : amount
    })
    const balances = () => proofAssets.map((asset) => chain.head.state.balance(asset, owner))
    const before = balances()
    const receipt = mineCall(this.simulation, trader, { do: 'claim', proof: provedLeaf(member.proof) })
    if (wanted.some((amount) => amount !== null)) {
      this.checks.done(receipt)
      this.checks.count(round === 1 ? 'claims' : 'claimsAgain')
    } else this.checks.refused(receipt, 'NothingToClaim')
    const after = balances()
    for (const [index, asset] of proofAssets.entries()) {
      const moved = (after[index] ?? 0n) - (before[index] ?? 0n)
      const amount = wanted[index] ?? null
      this.amounts.set(keyOf(member, asset), this.got(member, asset) + moved)
      if (amount !== null) this.done.add(`${round} ${keyOf(member, asset)}`)
      if (moved !== (amount ?? 0n)) {
        this.checks.add([`member ${member.memberId} has got ${moved} of ${asset} instead of ${amount ?? 0n}`])
      }
    }
  }
}

const keyOf = ({ memberId }: MemberProof, asset: AssetCode): string => `${asset} ${memberId}`
