import type { Database } from '../../db/open.ts'
import type { BlockHeader, ChainReader } from './read/read-chain.ts'

/**
 * The highest block with payments that both our records and the node's chain have; null when there is none. For a
 * reorganisation below every block that we keep. Blocks are linked to each other, so a binary search finds it.
 */
export async function findCommonAncestor(db: Database, reader: ChainReader): Promise<BlockHeader | null> {
  const blocks = await db
    .selectFrom('chain_event')
    .select(['block_number as number', 'block_hash as hash'])
    .where('orphaned_at', 'is', null)
    .distinct()
    .orderBy('block_number')
    .execute()
  let ancestor: BlockHeader | null = null
  let [low, high] = [0, blocks.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const ours = blocks[middle]
    if (ours === undefined) break
    const [theirs] = await reader.headers([ours.number])
    if (theirs?.hash === ours.hash) {
      ancestor = theirs
      low = middle + 1
    } else high = middle - 1
  }
  return ancestor
}
