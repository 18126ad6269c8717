import { NODE_BYTES } from '@candela/protocol/proof/sum-tree'
import { keccak256 } from '../../../kernel/keccak.ts'

/** Leaves of one piece: a proof reads one piece of each tier. */
export const PIECE = 256

export const HASH_BYTES = 32
const SUM_BYTES = 16

/** Neighbouring nodes, as many as whole pieces, or one smaller piece. */
export type HashTask = { nodes: Uint8Array<ArrayBuffer> }

/** The nodes of a task, and the node on top of each of its pieces. */
export type HashedPieces = { nodes: Uint8Array; tops: Uint8Array }

/**
 * The same hashes as `protocol/proof/sum-tree.ts` makes one by one, over bytes that already lie as they are hashed. What is
 * between the lowest nodes of a piece and its top is not kept: `withParents` makes it again in less than a millisecond.
 * @throws RangeError where sums do not fit
 */
export function hashPieces({ nodes }: HashTask): HashedPieces {
  const size = Math.min(PIECE, nodes.length / NODE_BYTES)
  const count = nodes.length / NODE_BYTES / size
  const tops = new Uint8Array(count * NODE_BYTES)
  for (let piece = 0; piece < count; piece += 1) {
    const first = piece * size * NODE_BYTES
    const whole = withParents(nodes.subarray(first, first + size * NODE_BYTES))
    tops.set(whole.subarray(-NODE_BYTES), piece * NODE_BYTES)
  }
  return { nodes, tops }
}

/**
 * The lowest nodes of a piece with all that are above them, level by level up to its top.
 * @throws RangeError where sums do not fit
 */
export function withParents(lowest: Uint8Array): Uint8Array {
  const size = lowest.length / NODE_BYTES
  const bytes = new Uint8Array((2 * size - 1) * NODE_BYTES)
  bytes.set(lowest)
  const preimage = new Uint8Array(1 + 2 * NODE_BYTES)
  preimage[0] = 1
  for (let child = 0, parent = size; parent < 2 * size - 1; child += 2, parent += 1) {
    const [left, at] = [child * NODE_BYTES, parent * NODE_BYTES]
    preimage.set(bytes.subarray(left, left + 2 * NODE_BYTES), 1)
    bytes.set(keccak256(preimage), at)
    for (let sum = HASH_BYTES; sum < NODE_BYTES; sum += SUM_BYTES) addInto(bytes, at + sum, left + sum)
  }
  return bytes
}

/**
 * Writes to one place the sum of the number at another and of the one a node after it. Byte by byte, because a `bigint` would be
 * allocated for each of them.
 * @throws RangeError where it does not fit
 */
function addInto(bytes: Uint8Array, at: number, left: number): void {
  let carry = 0
  for (let place = SUM_BYTES - 1; place >= 0; place -= 1) {
    const digit = (bytes[left + place] ?? 0) + (bytes[left + NODE_BYTES + place] ?? 0) + carry
    bytes[at + place] = digit & 0xff
    carry = digit >> 8
  }
  if (carry > 0) throw new RangeError('a sum is 2^128 and more')
}
