import type { Tx } from '../../../db/open.ts'
import { KEY_BYTES } from '../snapshot/leaf-secrets.ts'
import type { Piece } from './build-pieces.ts'
import { PIECE } from './hash-pieces.ts'

/** A few hundred kilobytes a statement, so that other work is not kept waiting for it. */
const BATCH = 16

/** Keeps the pieces of a day's tree; those of tier 0 with the keys of their leaves, by which a leaf is found. */
export async function storePieces(tx: Tx, day: string, pieces: readonly Piece[], keys: Uint8Array): Promise<void> {
  for (let first = 0; first < pieces.length; first += BATCH) {
    const rows = pieces.slice(first, first + BATCH).map(({ tier, part, nodes }) => {
      const own = tier === 0 ? keysOf(keys, part) : null
      return { day, tier, part, first_key: own?.subarray(0, KEY_BYTES) ?? null, keys: own, nodes: Buffer.from(nodes) }
    })
    await tx.insertInto('proof_piece').values(rows).execute()
  }
}

const keysOf = (keys: Uint8Array, part: number): Buffer =>
  Buffer.from(keys.subarray(part * PIECE * KEY_BYTES, (part + 1) * PIECE * KEY_BYTES))
