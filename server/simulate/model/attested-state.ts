import type { AssetCode } from '@candela/protocol/money/assets'
import { type ProofFile, toSums } from '@candela/protocol/proof/proof-file'
import { noSums, type Sums } from '@candela/protocol/proof/sum-tree'
import { DAY_MS } from '@candela/protocol/units'
import type { Hex } from 'viem'

/** What the gateway keeps about attestations, exit mode and the owner's taking. Never changed: each call makes a new one. */

const DAY_S = DAY_MS / 1000
export const EXIT_DELAY_S = 30 * DAY_S
export const COUNT_PERIOD_S = 7 * DAY_S
export const TAKING_NOTICE_S = 7 * DAY_S

/** The block that a call runs in. */
export type InBlock = { number: number; timestamp: number }

/** `day`: days since 1970-01-01. All zero before the first. */
export type Attestation = {
  day: number
  root: Hex
  sums: Sums
  attestedAt: number
  block: number
  depth: number
  sequence: bigint
}

type Taking = { to: Hex; announcedAt: number; block: number; amount: bigint; heldThen: bigint }

/** A member's leaf with its path, as `claim` and `countPaid` take them. */
export type ProvedLeaf = {
  member: Hex
  position: bigint
  owed: Sums
  salt: Hex
  path: readonly { hash: Hex; sums: Sums }[]
}

/** What a member sends of its saved proof. */
export const provedLeaf = ({ leaf, path }: ProofFile): ProvedLeaf => ({
  member: leaf.member as Hex,
  position: BigInt(leaf.position),
  owed: toSums(leaf.owed),
  salt: leaf.salt as Hex,
  path: path.map(({ hash, sums }) => ({ hash: hash as Hex, sums: toSums(sums) })),
})

export type AttestedState = {
  readonly last: Attestation
  /** Seconds; 0 while the contract is not in exit mode. */
  readonly exitedAt: number
  readonly claimsOpenAt: number
  readonly heldAtExit: Sums
  readonly countedPaid: Sums
  /** Members who were counted. */
  readonly counted: ReadonlySet<string>
  /** Asset and member of each claim. */
  readonly claimed: ReadonlySet<string>
  readonly takings: ReadonlyMap<AssetCode, Taking>
  /** Payments by asset and recipient. */
  readonly paid: ReadonlyMap<string, readonly { block: number; amount: bigint }[]>
}

export const neverAttested: AttestedState = {
  last: { day: 0, root: `0x${'0'.repeat(64)}`, sums: noSums, attestedAt: 0, block: 0, depth: 0, sequence: 0n },
  exitedAt: 0,
  claimsOpenAt: 0,
  heldAtExit: noSums,
  countedPaid: noSums,
  counted: new Set(),
  claimed: new Set(),
  takings: new Map(),
  paid: new Map(),
}

const keyOf = (asset: AssetCode, account: string): string => `${asset} ${account}`

export function withPaid(state: AttestedState, asset: AssetCode, to: string, amount: bigint, block: number) {
  const key = keyOf(asset, to)
  const paid = new Map(state.paid).set(key, [...(state.paid.get(key) ?? []), { block, amount }])
  return { ...state, paid }
}

/** What `pay` has paid to an address after the attested block. */
export const paidSince = ({ paid, last }: AttestedState, asset: AssetCode, to: string): bigint =>
  (paid.get(keyOf(asset, to)) ?? []).reduce((sum, { block, amount }) => (block > last.block ? sum + amount : sum), 0n)

export const isClaimed = ({ claimed }: AttestedState, asset: AssetCode, member: string): boolean =>
  claimed.has(keyOf(asset, member))

export const withClaimed = (state: AttestedState, asset: AssetCode, member: string): AttestedState => ({
  ...state,
  claimed: new Set(state.claimed).add(keyOf(asset, member)),
})
