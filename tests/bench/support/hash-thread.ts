import { noSums } from '@candela/protocol/proof/sum-tree'
import { hashLeaves, LEAF_BYTES } from '@candela/server/modules/proof/snapshot/hash-leaves'
import { KEY_BYTES } from '@candela/server/modules/proof/snapshot/leaf-secrets'
import { hashPieces } from '@candela/server/modules/proof/tree/hash-pieces'

/** Hashes so many leaves, a multiple of 256, with their salts and their pieces, and keeps nothing. */
export default function hash(leaves: number): void {
  const hashed = hashLeaves(new Uint8Array(32))
  const secret = new Uint8Array(32)
  for (let nth = 0; nth < leaves; nth += 1) hashed.add(`0x${'0'.repeat(40)}`, noSums, secret)
  const bytes = hashed.leaves()
  const nodes = new Uint8Array(leaves * (LEAF_BYTES - KEY_BYTES))
  for (let nth = 0; nth < leaves; nth += 1)
    nodes.set(bytes.subarray(nth * LEAF_BYTES + KEY_BYTES, (nth + 1) * LEAF_BYTES), nth * (LEAF_BYTES - KEY_BYTES))
  hashPieces({ nodes })
}
