import { NODE_BYTES, readNode, type SumNode } from '@candela/protocol/proof/sum-tree'
import pLimit from 'p-limit'
import { type HashedPieces, type HashTask, PIECE } from './hash-pieces.ts'

/** A piece of a tier, with its lowest nodes. */
export type Piece = { tier: number; part: number; nodes: Uint8Array }

/** So many nodes are hashed in one go by one thread. */
const NODES_A_TASK = 16 * PIECE

/** Enough for all threads; the memory of all tasks at once would be made in one go. */
const TASKS_AT_A_TIME = 32

/**
 * All pieces of the tree over leaves of `NODE_BYTES` bytes, as many as a power of two, and its root.
 * @param hash does `hashPieces`, in any thread
 */
export async function buildPieces(
  leaves: Uint8Array<ArrayBuffer>,
  hash: (task: HashTask) => Promise<HashedPieces>,
): Promise<{ pieces: Piece[]; root: SumNode }> {
  const limit = pLimit(TASKS_AT_A_TIME)
  const pieces: Piece[] = []
  /** Adds the pieces of a tier; their tops, in order. */
  const hashTier = async (tier: number, bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> => {
    const step = NODES_A_TASK * NODE_BYTES
    const hashed = await Promise.all(
      // Each has its own memory, because a thread is given the whole of what a part lies in.
      Array.from({ length: Math.ceil(bytes.length / step) }, (_, nth) =>
        limit(() => hash({ nodes: bytes.slice(nth * step, (nth + 1) * step) })),
      ),
    )
    let part = 0
    for (const { nodes } of hashed) {
      for (let offset = 0; offset < nodes.length; offset += PIECE * NODE_BYTES, part += 1) {
        pieces.push({ tier, part, nodes: nodes.subarray(offset, offset + PIECE * NODE_BYTES) })
      }
    }
    // Not a buffer: its slices would share its memory.
    return new Uint8Array(Buffer.concat(hashed.map(({ tops }) => tops)))
  }
  let tops = await hashTier(0, leaves)
  for (let tier = 1; tops.length > NODE_BYTES; tier += 1) tops = await hashTier(tier, tops)
  return { pieces, root: readNode(tops, 0) }
}
