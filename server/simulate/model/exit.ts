import type { AssetCode } from '@candela/protocol/money/assets'
import { addSums, proofAssets, type Sums } from '@candela/protocol/proof/sum-tree'
import { requireInTree, requireNotInExit } from './attest.ts'
import {
  type AttestedState,
  COUNT_PERIOD_S,
  EXIT_DELAY_S,
  type InBlock,
  isClaimed,
  paidSince,
  type ProvedLeaf,
} from './attested-state.ts'
import type { ModelContracts } from './calls.ts'
import { reverted } from './reverted.ts'

const ofAssets = (amountOf: (asset: AssetCode, index: 0 | 1 | 2) => bigint): Sums => [
  amountOf(proofAssets[0], 0),
  amountOf(proofAssets[1], 1),
  amountOf(proofAssets[2], 2),
]

/** The state after `enterExit`. @throws Reverted */
export function enterExit(
  state: AttestedState,
  { timestamp }: InBlock,
  heldOf: (asset: AssetCode) => bigint,
): AttestedState {
  requireNotInExit(state)
  const { last } = state
  if (last.attestedAt === 0) throw reverted('NeverAttested')
  const from = last.attestedAt + EXIT_DELAY_S + 1
  if (timestamp < from) throw reverted('TooEarly', [BigInt(from)])
  const heldAtExit = ofAssets(heldOf)
  const isShort = heldAtExit.some((held, index) => held < (last.sums[index] ?? 0n))
  return { ...state, exitedAt: timestamp, heldAtExit, claimsOpenAt: timestamp + (isShort ? COUNT_PERIOD_S : 0) }
}

/** What was paid since the attested block, up to the leaf. */
const deducted = (state: AttestedState, { member, owed }: Pick<ProvedLeaf, 'member' | 'owed'>): Sums =>
  ofAssets((asset, index) => {
    const paid = paidSince(state, asset, member)
    return paid < owed[index] ? paid : owed[index]
  })

/** The state after `countPaid`, with what was counted. @throws Reverted */
export function countPaid(
  state: AttestedState,
  contracts: ModelContracts,
  proof: ProvedLeaf,
  { timestamp }: InBlock,
): { state: AttestedState; paid: Sums } {
  if (state.exitedAt === 0) throw reverted('NotInExit')
  if (timestamp >= state.claimsOpenAt) throw reverted('ClaimsAreOpen')
  requireInTree(state, contracts, proof)
  const paid = deducted(state, proof)
  const isNew = !state.counted.has(proof.member) && paid.some((amount) => amount > 0n)
  if (!isNew) throw reverted('NothingToCount', [proof.member])
  const counted = new Set(state.counted).add(proof.member)
  return { state: { ...state, counted, countedPaid: addSums(state.countedPaid, paid) }, paid }
}

/** @throws Reverted where `claim` is not open to this leaf */
export function requireClaimsOpen(
  state: AttestedState,
  contracts: ModelContracts,
  proof: ProvedLeaf,
  { timestamp }: InBlock,
): void {
  if (state.exitedAt === 0) throw reverted('NotInExit')
  if (timestamp < state.claimsOpenAt) throw reverted('TooEarly', [BigInt(state.claimsOpenAt)])
  requireInTree(state, contracts, proof)
}

/** What a member with this leaf can still claim. */
export function sharesOf(state: AttestedState, leaf: Pick<ProvedLeaf, 'member' | 'owed'>): Sums {
  const paid = deducted(state, leaf)
  return ofAssets((asset, index) => {
    if (state.exitedAt === 0 || isClaimed(state, asset, leaf.member)) return 0n
    const due = leaf.owed[index] - paid[index]
    const [held, dueToAll] = [state.heldAtExit[index], state.last.sums[index] - state.countedPaid[index]]
    return held >= dueToAll ? due : (due * held) / dueToAll
  })
}
