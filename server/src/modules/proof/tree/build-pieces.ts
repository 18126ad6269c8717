import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { NODE_BYTES, readNode, type SumNode } from '@candela/protocol/proof/sum-tree'
import { Tinypool } from 'tinypool'
import { ENTRY_BYTES, type HashedPieces, hashPieces, type HashTask, PIECE } from './hash-pieces.ts'

/** A piece of a tier, with its lowest nodes. */
export type Piece = { tier: number; part: number; nodes: Uint8Array }

/** So many leaves are hashed in one go by one thread. */
const LEAVES_A_TASK = 16 * PIECE

const worker = fileURLToPath(new URL('hash-worker.ts', import.meta.url))

/**
 * All pieces of the tree over entries of `ENTRY_BYTES` bytes, as many as a power of two, and its root. A large tree is hashed by as many
 * threads as there are processors.
 */
export async function buildPieces(
  context: Uint8Array,
  entries: Uint8Array,
): Promise<{ pieces: Piece[]; root: SumNode }> {
  const isLarge = entries.length > LEAVES_A_TASK * ENTRY_BYTES
  const threads = isLarge ? openThreads() : undefined
  const hash = (task: HashTask): Promise<HashedPieces> =>
    threads === undefined ? Promise.resolve(hashPieces(task)) : (threads.run(task) as Promise<HashedPieces>)
  try {
    const pieces: Piece[] = []
    let tops = await hashTier(
      pieces,
      0,
      split(entries, ENTRY_BYTES).map((part) => ({ context, entries: part })),
      hash,
    )
    for (let tier = 1; tops.length > NODE_BYTES; tier += 1) {
      tops = await hashTier(
        pieces,
        tier,
        split(tops, NODE_BYTES).map((nodes) => ({ nodes })),
        hash,
      )
    }
    return { pieces, root: readNode(tops, 0) }
  } finally {
    await threads?.destroy()
  }
}

function openThreads(): Tinypool {
  const count = availableParallelism()
  // Waiting with atomics would block the thread that answers calls.
  return new Tinypool({ filename: worker, minThreads: count, maxThreads: count, useAtomics: false })
}

const split = (bytes: Uint8Array, width: number): Uint8Array[] => {
  const step = LEAVES_A_TASK * width
  return Array.from({ length: Math.ceil(bytes.length / step) }, (_, part) =>
    bytes.subarray(part * step, (part + 1) * step),
  )
}

/** Adds the pieces of a tier; their tops, in order. */
async function hashTier(
  pieces: Piece[],
  tier: number,
  tasks: readonly HashTask[],
  hash: (task: HashTask) => Promise<HashedPieces>,
): Promise<Uint8Array> {
  const hashed = await Promise.all(tasks.map(hash))
  let part = 0
  for (const { nodes } of hashed) {
    for (let offset = 0; offset < nodes.length; offset += PIECE * NODE_BYTES, part += 1) {
      pieces.push({ tier, part, nodes: nodes.subarray(offset, offset + PIECE * NODE_BYTES) })
    }
  }
  return Buffer.concat(hashed.map(({ tops }) => tops))
}
