import { addSums, NODE_BYTES, readNode, SALT_BYTES, writeSums } from '@candela/protocol/proof/sum-tree'
import { keccak_256 } from '@noble/hashes/sha3.js'

/** Leaves of one piece: a proof reads one piece of each tier. */
export const PIECE = 256

const HASH_BYTES = 32
export const ADDRESS_BYTES = 20
export const SUMS_BYTES = NODE_BYTES - HASH_BYTES
/** Bytes of a leaf before it is hashed: its member, what is owed, and its salt. */
export const ENTRY_BYTES = ADDRESS_BYTES + SUMS_BYTES + SALT_BYTES

/** Neighbouring leaves or nodes, as many as whole pieces, or one smaller piece. */
export type HashTask = { context: Uint8Array; entries: Uint8Array<ArrayBuffer> } | { nodes: Uint8Array<ArrayBuffer> }

/** The lowest nodes of a task, and the node on top of each of its pieces. */
export type HashedPieces = { nodes: Uint8Array; tops: Uint8Array }

/**
 * The same hashes as `protocol/proof/sum-tree.ts` makes one by one, over bytes that already lie as they are hashed. What is
 * between the lowest nodes of a piece and its top is not kept: `withParents` makes it again in a few milliseconds.
 */
export function hashPieces(task: HashTask): HashedPieces {
  const nodes = 'nodes' in task ? task.nodes : hashLeaves(task.context, task.entries)
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
    const offset = child * NODE_BYTES
    preimage.set(bytes.subarray(offset, offset + 2 * NODE_BYTES), 1)
    const sums = addSums(readNode(bytes, offset).sums, readNode(bytes, offset + NODE_BYTES).sums)
    bytes.set(keccak_256(preimage), parent * NODE_BYTES)
    writeSums(bytes, parent * NODE_BYTES + HASH_BYTES, sums)
  }
  return bytes
}

function hashLeaves(context: Uint8Array, entries: Uint8Array): Uint8Array {
  const count = entries.length / ENTRY_BYTES
  const nodes = new Uint8Array(count * NODE_BYTES)
  const preimage = new Uint8Array(1 + HASH_BYTES + ENTRY_BYTES)
  preimage.set(context, 1)
  for (let leaf = 0; leaf < count; leaf += 1) {
    const entry = entries.subarray(leaf * ENTRY_BYTES, (leaf + 1) * ENTRY_BYTES)
    preimage.set(entry, 1 + HASH_BYTES)
    nodes.set(keccak_256(preimage), leaf * NODE_BYTES)
    nodes.set(entry.subarray(ADDRESS_BYTES, ADDRESS_BYTES + SUMS_BYTES), leaf * NODE_BYTES + HASH_BYTES)
  }
  return nodes
}
