import { NODE_BYTES, readNode, type SumNode } from '@candela/protocol/proof/sum-tree'
import type { Database } from '../../../db/open.ts'
import { must } from '../../../kernel/assert.ts'
import { KEY_BYTES } from '../snapshot/leaf-secrets.ts'
import { PIECE, withParents } from './hash-pieces.ts'

/** A leaf as it is in a stored tree, with its path. */
export type StoredLeaf = { position: number; leaf: SumNode; siblings: SumNode[] }

/** The leaf with a key in the tree of a day; null when that tree has none. Reads one piece of each tier. */
export async function readPath(db: Database, day: string, key: Buffer): Promise<StoredLeaf | null> {
  const piece = await db
    .selectFrom('proof_piece')
    .select(['part', 'keys', 'nodes'])
    .where('day', '=', day)
    .where('tier', '=', 0)
    .where('first_key', '<=', key)
    .orderBy('first_key', 'desc')
    .limit(1)
    .executeTakeFirst()
  const place = piece === undefined || piece.keys === null ? -1 : placeOf(piece.keys, key)
  if (piece === undefined || place < 0) return null
  const position = piece.part * PIECE + place
  const siblings = siblingsIn(piece.nodes, place)
  for (let tier = 1, at = piece.part; ; tier += 1) {
    const above = await db
      .selectFrom('proof_piece')
      .select('nodes')
      .where('day', '=', day)
      .where('tier', '=', tier)
      .where('part', '=', Math.floor(at / PIECE))
      .executeTakeFirst()
    if (above === undefined) return { position, leaf: readNode(piece.nodes, place * NODE_BYTES), siblings }
    siblings.push(...siblingsIn(above.nodes, at % PIECE))
    at = Math.floor(at / PIECE)
  }
}

function placeOf(keys: Buffer, key: Buffer): number {
  for (let place = 0; place * KEY_BYTES < keys.length; place += 1) {
    if (keys.subarray(place * KEY_BYTES, (place + 1) * KEY_BYTES).equals(key)) return place
  }
  return -1
}

/** The siblings from one of a piece's lowest nodes up to its top. */
function siblingsIn(lowest: Uint8Array, place: number): SumNode[] {
  const nodes = withParents(lowest)
  const siblings: SumNode[] = []
  let size = lowest.length / NODE_BYTES
  for (let first = 0, at = place; size > 1; size /= 2) {
    siblings.push(readNode(nodes, (first + (at % 2 === 0 ? at + 1 : at - 1)) * NODE_BYTES))
    first += size
    at = Math.floor(at / 2)
  }
  return siblings
}

/** The leaves of one piece of a day's tree, in order: hashes and sums, nothing of whose they are. */
export async function readLeaves(db: Database, day: string, part: number): Promise<SumNode[]> {
  const piece = await db
    .selectFrom('proof_piece')
    .select('nodes')
    .where('day', '=', day)
    .where('tier', '=', 0)
    .where('part', '=', part)
    .executeTakeFirst()
  const nodes = must(piece, `the tree of ${day} has a part ${part}`).nodes
  return Array.from({ length: nodes.length / NODE_BYTES }, (_, place) => readNode(nodes, place * NODE_BYTES))
}
