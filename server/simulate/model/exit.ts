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
} from './attested-state.ts'
import { reverted } from './reverted.ts'

type HeldOf = (asset: AssetCode) => bigint

/** The state with what is shared of an asset, which is fixed once, unless it is nothing. */
export const shareHeld = (state: AttestedState, asset: AssetCode, held: bigint): AttestedState =>
  state.shared[asset].held === 0n ? withShared(state, asset, { held }) : state

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
  return proofAssets.reduce<AttestedState>((next, asset) => shareHeld(next, asset, heldOf(asset)), {
    ...state,
    exitedAt: timestamp,
  })
}

/** The part of an asset that is shared now: all but `held` zero until it is shared again. */
type Pot = { held: bigint; isSharedAgain: boolean; balance: bigint; left: bigint; promised: bigint }

/** @param balance what the gateway holds now */
export function potOf(state: AttestedState, asset: AssetCode, balance: bigint, timestamp: number): Pot {
  const { held: heldThen, left, sharedAgainAt, lacking } = state.shared[asset]
  const held = heldThen === 0n ? balance : heldThen
  const isSharedAgain = lacking !== 0n && timestamp >= sharedAgainAt
  if (!isSharedAgain) return { held, isSharedAgain, balance: 0n, left: 0n, promised: 0n }
  if (left !== 0n) return { held, isSharedAgain, balance, left, promised: state.promised[asset] }
  const kept = keptForOthers(state, asset, held, 0n)
  const over = balance > kept ? balance - kept : 0n
  return { held, isSharedAgain, balance, left: over, promised: over < lacking ? over : lacking }
}

/** The sum that is surely due to those who have not claimed. */
function keptForOthers(
  { paidInAll, settled }: AttestedState,
  asset: AssetCode,
  held: bigint,
  settling: bigint,
): bigint {
  const { now, before } = paidInAll[asset]
  const kept = held - (now - before) - settled[asset] - settling
  return kept > 0n ? kept : 0n
}

/** A claim of an asset: what it gets and lacks after it, what is written down of it. */
type Due = { amount: bigint; lacking: bigint; claims: number; settled: bigint }

/** The amount that a member with this leaf can claim of an asset now; null when nothing is due. */
export function dueOf(
  state: AttestedState,
  { member, owed }: Pick<ProvedLeaf, 'member' | 'owed'>,
  asset: AssetCode,
  { held, isSharedAgain, balance, left, promised }: Pot,
): Due | null {
  const index = proofAssets.indexOf(asset)
  const [leaf, sum] = [owed[index] ?? 0n, state.last.sums[index] ?? 0n]
  const paid = paidSince(state, asset, member)
  if (state.exitedAt === 0 || paid >= leaf || held === 0n) return null
  const part = held < sum ? (leaf * held) / sum : leaf
  const first = part > paid ? part - paid : 0n
  const lacking = leaf - paid - first
  const claims = claimsOf(state, asset, member)
  const settled = claims === 0 && held < sum ? part - paid : 0n
  if (claims === 0 && (lacking === 0n || !isSharedAgain)) return { amount: first, lacking, claims: 1, settled }
  if (!isSharedAgain || lacking === 0n || claims === 2) return null
  const all = state.shared[asset].lacking
  const amount =
    claims === 1
      ? left < all
        ? (lacking * left) / all
        : lacking
      : lateAmount(leaf - paid, balance - promised - keptForOthers(state, asset, held, settled))
  return amount === 0n ? null : { amount, lacking: 0n, claims: 2, settled }
}

function lateAmount(lacks: bigint, free: bigint): bigint {
  if (free <= 0n) return 0n
  return lacks < free ? lacks : free
}
