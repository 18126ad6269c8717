import { NATIVE_ASSET } from '@candela/protocol/chain/action-data'
import type { AssetCode } from '@candela/protocol/money/assets'
import { type ProofFile, toSums } from '@candela/protocol/proof/proof-file'
import { noSums, type Sums } from '@candela/protocol/proof/sum-tree'
import { DAY_MS } from '@candela/protocol/units'
import type { Hex } from 'viem'

/** The gateway's record of attestations, exit mode and the owner's taking. Never changed: each call makes a new one. */

const DAY_S = DAY_MS / 1000
export const EXIT_DELAY_S = 30 * DAY_S
export const SHARING_DELAY_S = 365 * DAY_S
/** Before the owner takes what it has announced. */
export const NOTICE_S = 7 * DAY_S
/** For how long after the notice it can be taken. */
export const VALIDITY_S = 30 * DAY_S

/** The block that a call runs in. */
export type InBlock = { number: number; timestamp: number }

/** `day`: days since 1970-01-01. All zero before the first. */
export type Attestation = {
  day: number
  root: Hex
  sums: Sums
  subcoin: Hex
  attestedAt: number
  block: number
  depth: number
  sequence: bigint
}

/** `stillHeld`: what was held at the announcement, less what was paid since. */
type Taking = { to: Hex; announcedAt: number; amount: bigint; stillHeld: bigint }

/** The sharing of an asset: all zero until something was held in exit mode. */
export type Shared = { held: bigint; sharedAgainAt: number; lacking: bigint; left: bigint }

export const nothingShared: Shared = { held: 0n, sharedAgainAt: 0, lacking: 0n, left: 0n }

/** A member's leaf with its path, as `claim` takes it. */
export type ProvedLeaf = {
  member: Hex
  position: bigint
  owed: Sums
  salt: Hex
  path: readonly { hash: Hex; sums: Sums }[]
}

/** The part of a member's saved proof that it sends. */
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
  readonly shared: Readonly<Record<AssetCode, Shared>>
  /** The part of `left` that has not been claimed. */
  readonly promised: Readonly<Record<AssetCode, bigint>>
  /** Parts of what was held less what was paid, of all who have claimed what is short. */
  readonly settled: Readonly<Record<AssetCode, bigint>>
  /** All that `pay` has paid: now, at the last attestation, and at the one before. */
  readonly paidInAll: Readonly<Record<AssetCode, { now: bigint; atLast: bigint; before: bigint }>>
  /** The claims, by asset and member: 1 for the first share, 2 for all. */
  readonly claims: ReadonlyMap<string, number>
  readonly takings: ReadonlyMap<AssetCode, Taking>
  /** Payments by asset and recipient. */
  readonly paid: ReadonlyMap<string, readonly { block: number; amount: bigint }[]>
}

const nonePaid = { now: 0n, atLast: 0n, before: 0n }

export const neverAttested: AttestedState = {
  last: {
    day: 0,
    root: `0x${'0'.repeat(64)}`,
    sums: noSums,
    subcoin: NATIVE_ASSET,
    attestedAt: 0,
    block: 0,
    depth: 0,
    sequence: 0n,
  },
  exitedAt: 0,
  shared: { USDT: nothingShared, HASH: nothingShared, JU: nothingShared },
  promised: { USDT: 0n, HASH: 0n, JU: 0n },
  settled: { USDT: 0n, HASH: 0n, JU: 0n },
  paidInAll: { USDT: nonePaid, HASH: nonePaid, JU: nonePaid },
  claims: new Map(),
  takings: new Map(),
  paid: new Map(),
}

/** The day of the attestation by which a contract is opened: long before any of the service's. */
const OPENING_DAY = 1

/** A contract into which money can come: that nothing is owed was attested for a day long ago. */
export const opened = (subcoin: Hex, timestamp: number): AttestedState => ({
  ...neverAttested,
  last: { ...neverAttested.last, day: OPENING_DAY, root: `0x${'0'.repeat(63)}1`, subcoin, attestedAt: timestamp },
})

/** Whether nothing but the opening was attested. */
export const isOpening = ({ day }: Attestation): boolean => day === OPENING_DAY

const keyOf = (asset: AssetCode, account: string): string => `${asset} ${account}`

export function withPaid(state: AttestedState, asset: AssetCode, to: string, amount: bigint, block: number) {
  const key = keyOf(asset, to)
  const paid = new Map(state.paid).set(key, [...(state.paid.get(key) ?? []), { block, amount }])
  const all = state.paidInAll[asset]
  const paidInAll = { ...state.paidInAll, [asset]: { ...all, now: all.now + amount } }
  const taking = state.takings.get(asset)
  if (taking === undefined) return { ...state, paid, paidInAll }
  const stillHeld = amount < taking.stillHeld ? taking.stillHeld - amount : 0n
  return { ...state, paid, paidInAll, takings: new Map(state.takings).set(asset, { ...taking, stillHeld }) }
}

/** The sum that `pay` has paid to an address after the attested block. */
export const paidSince = ({ paid, last }: AttestedState, asset: AssetCode, to: string): bigint =>
  (paid.get(keyOf(asset, to)) ?? []).reduce((sum, { block, amount }) => (block > last.block ? sum + amount : sum), 0n)

/** The claims of a member for an asset: 1 for its first share, 2 for all that it can. */
export const claimsOf = ({ claims }: AttestedState, asset: AssetCode, member: string): number =>
  claims.get(keyOf(asset, member)) ?? 0

export const withClaim = (state: AttestedState, asset: AssetCode, member: string, claims: number): AttestedState => ({
  ...state,
  claims: new Map(state.claims).set(keyOf(asset, member), claims),
})
