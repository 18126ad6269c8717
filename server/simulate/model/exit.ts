import type { AssetCode } from '@candela/protocol/money/assets'
import { proofAssets } from '@candela/protocol/proof/sum-tree'
import { requireNotInExit } from './attest.ts'
import {
  type AttestedState,
  claimsOf,
  EXIT_DELAY_S,
  type InBlock,
  paidSince,
  type ProvedLeaf,
  type Shared,
  SHARING_DELAY_S,
} from './attested-state.ts'
import { reverted } from './reverted.ts'

type HeldOf = (asset: AssetCode) => bigint

/** The state with what is shared of an asset, which is fixed once, unless it is nothing. */
export function shareHeld(state: AttestedState, asset: AssetCode, held: bigint, timestamp: number): AttestedState {
  if (state.shared[asset].held !== 0n || held === 0n) return state
  return withShared(state, asset, { held, sharedAgainAt: timestamp + SHARING_DELAY_S })
}

export const withShared = (state: AttestedState, asset: AssetCode, change: Partial<Shared>): AttestedState => ({
  ...state,
  shared: { ...state.shared, [asset]: { ...state.shared[asset], ...change } },
})

/** The state after `enterExit`. @throws Reverted */
export function enterExit(state: AttestedState, { timestamp }: InBlock, heldOf: HeldOf): AttestedState {
  requireNotInExit(state)
  const { last } = state
  if (last.attestedAt === 0) throw reverted('NeverAttested')
  const from = last.attestedAt + EXIT_DELAY_S + 1
  if (timestamp < from) throw reverted('TooEarly', [BigInt(from)])
  return proofAssets.reduce<AttestedState>((next, asset) => shareHeld(next, asset, heldOf(asset), timestamp), {
    ...state,
    exitedAt: timestamp,
  })
}

/** What a member with this leaf can claim of an asset now, and what it lacks after its first claim; null when nothing is due. */
export function dueOf(
  state: AttestedState,
  { member, owed }: Pick<ProvedLeaf, 'member' | 'owed'>,
  asset: AssetCode,
  { held, left, timestamp }: { held: bigint; left: bigint; timestamp: number },
): { amount: bigint; lacking: bigint } | null {
  const index = proofAssets.indexOf(asset)
  const [leaf, sum] = [owed[index] ?? 0n, state.last.sums[index] ?? 0n]
  const paid = paidSince(state, asset, member)
  if (state.exitedAt === 0 || paid >= leaf || held === 0n) return null
  const part = held < sum ? (leaf * held) / sum : leaf
  const first = part > paid ? part - paid : 0n
  const lacking = leaf - paid - first
  const { sharedAgainAt, lacking: lackingToAll } = state.shared[asset]
  const isAgain = lackingToAll !== 0n && timestamp >= sharedAgainAt
  const claims = claimsOf(state, asset, member)
  if (claims === 0) return lacking !== 0n && isAgain ? null : { amount: first, lacking }
  if (claims > 1 || lacking === 0n || !isAgain) return null
  const amount = left < lackingToAll ? (lacking * left) / lackingToAll : lacking
  return amount === 0n ? null : { amount, lacking: 0n }
}
