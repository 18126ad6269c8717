import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { daysBetween } from '../calendar.ts'
import type { AssetCode } from '../money/assets.ts'

/**
 * The Merkle sum tree over what is owed to each member, as it is hashed by the service, the app, the verifier and the
 * contract. Every number has a fixed width and is written big-endian, so each preimage is what Solidity's
 * `abi.encodePacked` gives for the same values. `docs/understand/proof.md` has the same with test vectors.
 *
 *   context = keccak256(DOMAIN 32 | chain id 32 | gateway 20 | day 32)
 *   leaf    = keccak256(0x00 | context 32 | member 20 | owed USDT, HASH, JU: 16 each | salt 32)
 *   parent  = keccak256(0x01 | left hash 32 | left sums 3 × 16 | right hash 32 | right sums 3 × 16), sums = left + right
 *   salt    = keccak256(0x02 | secret of the member 32 | context 32)
 *
 * The tree and what a proof has to show are those of Maxwell's summation tree with the sums of both children in the hash
 * of their parent (the repair of Hu, Zhang and Guo, "But Why Does It Work? A Rational Protocol Design Treatment of
 * Bitcoin's solvency proofs", 2019), and of DAPOL+ (Ji and Chalkias, "Generalized Proof of Liabilities", CCS 2021,
 * eprint.iacr.org/2021/1350). Taken from DAPOL+: sums that cannot wrap or be negative, a leaf that belongs to one member alone, a fresh
 * secret in each leaf that is derived from a master secret, padding leaves that look like others, positions that say
 * nothing about who is who. Not taken: commitments instead of readable sums, and with them the range proofs, because the
 * contract has to add sums up and pay by them; the sparse tree of height 64, because all leaves can be downloaded here.
 */

/** The assets of a leaf, in the order of its sums. */
export const proofAssets = ['USDT', 'HASH', 'JU'] as const satisfies readonly AssetCode[]

/** Base units of each of `proofAssets`. */
export type Sums = readonly [usdt: bigint, hash: bigint, ju: bigint]

/** A hash with what is owed below it. */
export type SumNode = { hash: Uint8Array; sums: Sums }

/** The tree that is meant: nothing of one can be used for another. */
export type TreeContext = {
  chainId: number
  /** The contract that attests, any letter case. */
  gateway: string
  /** UTC, such as "2026-11-22". */
  day: string
}

/** One member's place in the tree. */
export type Leaf = {
  /** The member's wallet, any letter case; the zero address in a padding leaf. */
  member: string
  owed: Sums
  /** 32 bytes, of this member on this day alone. */
  salt: Uint8Array
}

/** The siblings from a leaf up to the root; bit i of the position says on which side the i-th of them is. */
export type Path = { position: number; siblings: readonly SumNode[] }

/** keccak256("candela.proof.1"): the kind of tree, and its version. */
const DOMAIN = keccak_256(new TextEncoder().encode('candela.proof.1'))

/** The bound of a sum: 2^128, so that it fits 16 bytes. */
export const SUM_LIMIT = 1n << 128n

/** 2^32 leaves; the contract has the same limit. */
export const MAX_DEPTH = 32

const SUM_BYTES = 16
const HASH_BYTES = 32
export const SALT_BYTES = 32
/** Bytes of a node as it is hashed and stored: its hash, then its sums. */
export const NODE_BYTES = HASH_BYTES + proofAssets.length * SUM_BYTES

export const noSums: Sums = [0n, 0n, 0n]

const isSum = (amount: bigint): boolean => amount >= 0n && amount < SUM_LIMIT

/** @throws RangeError for a sum that is negative or does not fit 16 bytes */
export function addSums(left: Sums, right: Sums): Sums {
  const sums: Sums = [left[0] + right[0], left[1] + right[1], left[2] + right[2]]
  if (![...left, ...right, ...sums].every(isSum)) throw new RangeError('a sum is negative, or 2^128 and more')
  return sums
}

export const sameSums = (one: Sums, other: Sums): boolean => one.every((amount, index) => amount === other[index])

/** How many days the day comes after 1970-01-01, which is how the contract counts. */
export const dayNumber = (day: string): number => daysBetween('1970-01-01', day)

/** The bytes that all leaves of one tree begin with. */
export function contextHash({ chainId, gateway, day }: TreeContext): Uint8Array {
  const bytes = new Uint8Array(32 + 32 + 20 + 32)
  bytes.set(DOMAIN, 0)
  writeNumber(bytes, 32, 32, BigInt(chainId))
  bytes.set(addressBytes(gateway), 64)
  writeNumber(bytes, 84, 32, BigInt(dayNumber(day)))
  return keccak_256(bytes)
}

/**
 * @param context from `contextHash`
 * @throws RangeError for an amount that is negative or does not fit 16 bytes, or for another salt than of 32 bytes
 */
export function leafNode(context: Uint8Array, { member, owed, salt }: Leaf): SumNode {
  if (salt.length !== SALT_BYTES) throw new RangeError('a salt has 32 bytes')
  const bytes = new Uint8Array(1 + HASH_BYTES + 20 + 48 + SALT_BYTES)
  bytes.set(context, 1)
  bytes.set(addressBytes(member), 33)
  writeSums(bytes, 53, owed)
  bytes.set(salt, 101)
  return { hash: keccak_256(bytes), sums: owed }
}

/**
 * The salt of a member's leaf on one day. Nobody who lacks the secret can tell that two salts are of the same member.
 * @param secret 32 bytes, the member's own for all days
 * @param context from `contextHash`
 */
export function saltOf(secret: Uint8Array, context: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(1 + SALT_BYTES + HASH_BYTES)
  bytes[0] = 2
  bytes.set(secret, 1)
  bytes.set(context, 1 + SALT_BYTES)
  return keccak_256(bytes)
}

/** @throws RangeError where the sums of both do not fit 16 bytes */
export function parentNode(left: SumNode, right: SumNode): SumNode {
  const sums = addSums(left.sums, right.sums)
  const bytes = new Uint8Array(1 + 2 * NODE_BYTES)
  bytes[0] = 1
  writeNode(bytes, 1, left)
  writeNode(bytes, 1 + NODE_BYTES, right)
  return { hash: keccak_256(bytes), sums }
}

/**
 * The root that a leaf's path leads to.
 * @throws RangeError for a path that no tree has: too long, a position outside of it, sums that do not fit
 */
export function rootOf(leaf: SumNode, { position, siblings }: Path): SumNode {
  const isInside = Number.isSafeInteger(position) && position >= 0 && position < 2 ** siblings.length
  if (siblings.length > MAX_DEPTH || !isInside) throw new RangeError('the position is not in a tree of that depth')
  return siblings.reduce(
    (node, sibling, level) =>
      Math.floor(position / 2 ** level) % 2 === 0 ? parentNode(node, sibling) : parentNode(sibling, node),
    leaf,
  )
}

/**
 * All levels of a tree, from the leaves to the root.
 * @param leaves as many as a power of two
 */
export function buildTree(leaves: readonly SumNode[]): SumNode[][] {
  if (leaves.length !== paddedCount(leaves.length)) throw new RangeError('the number of leaves is not a power of two')
  const levels = [[...leaves]]
  for (let level = levels[0] ?? []; level.length > 1; levels.push(level)) {
    level = Array.from({ length: level.length / 2 }, (_, index) =>
      parentNode(nodeAt(level, 2 * index), nodeAt(level, 2 * index + 1)),
    )
  }
  return levels
}

/** The path of the leaf at a position, from all levels of its tree. */
export const pathOf = (levels: readonly (readonly SumNode[])[], position: number): Path => ({
  position,
  siblings: levels.slice(0, -1).map((nodes, level) => nodeAt(nodes, siblingOf(Math.floor(position / 2 ** level)))),
})

/** The leaves of the smallest tree with so many places. */
export const paddedCount = (places: number): number => 2 ** Math.ceil(Math.log2(Math.max(1, places)))

/** A node of `NODE_BYTES` bytes at an offset. */
export const readNode = (bytes: Uint8Array, offset: number): SumNode => ({
  hash: bytes.slice(offset, offset + HASH_BYTES),
  sums: [
    readNumber(bytes, offset + HASH_BYTES),
    readNumber(bytes, offset + HASH_BYTES + SUM_BYTES),
    readNumber(bytes, offset + HASH_BYTES + 2 * SUM_BYTES),
  ],
})

export function writeNode(bytes: Uint8Array, offset: number, { hash, sums }: SumNode): void {
  bytes.set(hash, offset)
  writeSums(bytes, offset + HASH_BYTES, sums)
}

const siblingOf = (position: number): number => (position % 2 === 0 ? position + 1 : position - 1)

function nodeAt(nodes: readonly SumNode[], index: number): SumNode {
  const node = nodes[index]
  if (node === undefined) throw new RangeError(`the tree has no node ${index} on that level`)
  return node
}

export function addressBytes(address: string): Uint8Array {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) throw new RangeError(`not an address: ${address}`)
  return hexToBytes(address.slice(2).toLowerCase())
}

export function writeSums(bytes: Uint8Array, offset: number, sums: Sums): void {
  for (const [index, amount] of sums.entries()) {
    if (!isSum(amount)) throw new RangeError('a sum is negative, or 2^128 and more')
    writeNumber(bytes, offset + index * SUM_BYTES, SUM_BYTES, amount)
  }
}

function writeNumber(bytes: Uint8Array, offset: number, width: number, value: bigint): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  view.setBigUint64(offset + width - 8, BigInt.asUintN(64, value))
  view.setBigUint64(offset + width - 16, value >> 64n)
}

function readNumber(bytes: Uint8Array, offset: number): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  return (view.getBigUint64(offset) << 64n) | view.getBigUint64(offset + 8)
}

export const toHex = (bytes: Uint8Array): `0x${string}` => `0x${bytesToHex(bytes)}`

/** @throws Error for a text that is not hexadecimal with 0x before it */
export const fromHex = (text: string): Uint8Array => hexToBytes(text.startsWith('0x') ? text.slice(2) : text)
