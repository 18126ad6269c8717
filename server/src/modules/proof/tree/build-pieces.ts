import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { NODE_BYTES, readNode, type SumNode } from '@candela/protocol/proof/sum-tree'
import pLimit from 'p-limit'
import { Tinypool } from 'tinypool'
import { ENTRY_BYTES, type HashedPieces, hashPieces, type HashTask, PIECE } from './hash-pieces.ts'

/** A piece of a tier, with its lowest nodes. */
export type Piece = { tier: number; part: number; nodes: Uint8Array }

/** So many leaves are hashed in one go by one thread. */
const LEAVES_A_TASK = 16 * PIECE

const worker = fileURLToPath(new URL('hash-worker.ts', import.meta.url))

/**
 * All pieces of the tree over entries of `ENTRY_BYTES` bytes, as many as a power of two, and its root. A large tree is hashed in
 * threads, one less than there are processors: the last is for those who call meanwhile.
 */
export async function buildPieces(
  context: Uint8Array,
  entries: Uint8Array,
): Promise<{ pieces: Piece[]; root: SumNode }> {
  const count = Math.max(1, availableParallelism() - 1)
  const isLarge = entries.length > LEAVES_A_TASK * ENTRY_BYTES
  const threads = isLarge ? openThreads(count) : undefined
  const limit = pLimit(2 * count)
  const pieces: Piece[] = []
  /** Adds the pieces of a tier; their tops, in order. */
  const hashTier = async (tier: number, bytes: Uint8Array, width: number): Promise<Uint8Array> => {
    const step = LEAVES_A_TASK * width
    const hashed = await Promise.all(
      Array.from({ length: Math.ceil(bytes.length / step) }, (_, nth) =>
        limit(() => {
          // Its own memory, because a thread is given the whole of what a part lies in.
          const own = bytes.slice(nth * step, (nth + 1) * step)
          return hash(threads, tier === 0 ? { context, entries: own } : { nodes: own })
        }),
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
  try {
    let tops = await hashTier(0, entries, ENTRY_BYTES)
    for (let tier = 1; tops.length > NODE_BYTES; tier += 1) tops = await hashTier(tier, tops, NODE_BYTES)
    return { pieces, root: readNode(tops, 0) }
  } finally {
    await threads?.destroy()
  }
}

// Waiting with atomics would block the thread that answers calls.
const openThreads = (count: number): Tinypool =>
  new Tinypool({ filename: worker, minThreads: count, maxThreads: count, useAtomics: false })

/** A thread gets the memory of its task, which is not copied. */
function hash(threads: Tinypool | undefined, task: HashTask): Promise<HashedPieces> {
  if (threads === undefined) return Promise.resolve(hashPieces(task))
  return threads.run(task, { transferList: ['nodes' in task ? task.nodes.buffer : task.entries.buffer] })
}
