import { concat, type Hex, keccak256, numberToHex, stringToHex } from 'viem'
import { DAY_S, startOf } from './days.ts'

/**
 * The Merkle sum tree of what is owed, written from the document alone. Every number is big-endian with a fixed width:
 *
 *   context = keccak256(keccak256("candela.proof.1") | chain id 32 | gateway 20 | day number 32)
 *   leaf    = keccak256(0x00 | context | member 20 | USDT 16 | HASH 16 | JU 16 | salt 32)
 *   parent  = keccak256(0x01 | left hash 32 | left sums 3 × 16 | right hash 32 | right sums 3 × 16)
 *   salt    = keccak256(0x02 | secret 32 | context)
 */

/** Base units of USDT, HASH and JU. */
export type Sums = readonly [bigint, bigint, bigint]
export type Node = { hash: Hex; sums: Sums }

const LIMIT = 2n ** 128n
const MAX_DEPTH = 32

const packed = (sums: Sums): Hex => {
  if (sums.some((amount) => amount < 0n || amount >= LIMIT)) throw new RangeError('a sum does not fit 16 bytes')
  return concat(sums.map((amount) => numberToHex(amount, { size: 16 })))
}

/** All leaves of one tree begin with this. */
export const contextOf = (of: { chainId: number; gateway: string; day: string }): Hex =>
  keccak256(
    concat([
      keccak256(stringToHex('candela.proof.1')),
      numberToHex(of.chainId, { size: 32 }),
      of.gateway as Hex,
      numberToHex(startOf(of.day) / DAY_S, { size: 32 }),
    ]),
  )

/** @param context from `contextOf` */
export const leafHash = (context: Hex, leaf: { member: string; owed: Sums; salt: string }): Hex =>
  keccak256(concat(['0x00', context, leaf.member as Hex, packed(leaf.owed), leaf.salt as Hex]))

/** The salt of a member's leaf on the day of a context. */
export const saltOf = (context: Hex, secret: string): Hex => keccak256(concat(['0x02', secret as Hex, context]))

export function parentOf(left: Node, right: Node): Node {
  const sums: Sums = [left.sums[0] + right.sums[0], left.sums[1] + right.sums[1], left.sums[2] + right.sums[2]]
  packed(sums)
  return {
    hash: keccak256(concat(['0x01', left.hash, packed(left.sums), right.hash, packed(right.sums)])),
    sums,
  }
}

/** The root over all leaves, which must be as many as a power of two. */
export function rootOver(leaves: readonly Node[]): Node {
  let level = [...leaves]
  if (level.length === 0 || !Number.isInteger(Math.log2(level.length)))
    throw new RangeError('the number of leaves is no power of two')
  while (level.length > 1)
    level = Array.from({ length: level.length / 2 }, (_, nth) => parentOf(level[2 * nth]!, level[2 * nth + 1]!))
  return level[0]!
}

/** The root to which a path leads. Bit i of the position says on which side the i-th sibling is. */
export function rootBy(leaf: Node, position: number, path: readonly Node[]): Node {
  if (path.length > MAX_DEPTH || position < 0 || position >= 2 ** path.length)
    throw new RangeError('the position is not in a tree of that depth')
  return path.reduce(
    (node, sibling, level) =>
      Math.floor(position / 2 ** level) % 2 === 0 ? parentOf(node, sibling) : parentOf(sibling, node),
    leaf,
  )
}
