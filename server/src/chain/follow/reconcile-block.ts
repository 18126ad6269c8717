/** The fields that link blocks. Hashes are lower case. */
export type BlockLink = { number: bigint; hash: string; parentHash: string }

/** The blocks that we have followed, by number. Not every number needs to be there, only the last one must. */
export type FollowedBlocks = {
  /** The last followed block; null before the first. */
  tip: Pick<BlockLink, 'number' | 'hash'> | null
  /** Number of the first block that may concern us. */
  start: bigint
  hashes: ReadonlyMap<bigint, string>
}

/**
 * How a branch that the node shows relates to the followed chain.
 * - `known`: its last block is one of ours, or is below the first that concerns us or every one that we know. Nothing to
 *   do, also when the node is behind us.
 * - `next`: its first block is the child of our last one (or the very first one): follow all of it.
 * - `gap`: blocks `from` to `to` lie between our last one and the branch: fetch them first.
 * - `fork`: the parent of its first block is not ours: fetch the block `parent` and put it in front.
 * - `reorganisation`: `ancestor` is the last block that we and the branch share. What we recorded above it is off the
 *   chain; `blocks` follow it.
 * - `unknownAncestor`: the branch left our chain below every block that we know.
 */
export type Reconciliation<B extends BlockLink> =
  | { case: 'known' }
  | { case: 'next'; blocks: readonly B[] }
  | { case: 'gap'; from: bigint; to: bigint }
  | { case: 'fork'; parent: string }
  | { case: 'reorganisation'; ancestor: bigint; blocks: readonly B[] }
  | { case: 'unknownAncestor' }

/**
 * Compares a branch with the followed chain. A branch is one block or more, each the child of the one before it. Pure,
 * so that tests can run it on any tree of blocks.
 * @throws RangeError when the branch is empty or its blocks are not linked
 */
export function reconcileBlock<B extends BlockLink>(followed: FollowedBlocks, branch: readonly B[]): Reconciliation<B> {
  if (!isLinked(branch)) throw new RangeError('a branch is at least one block, each the child of the one before it')
  const first = branch[0] as B
  const last = branch.at(-1) as B
  const { tip, start, hashes } = followed
  const nextNumber = tip === null ? start : tip.number + 1n
  if (hashes.get(last.number) === last.hash || isBehind(last, start, lowest(hashes))) return { case: 'known' }
  if (first.number > nextNumber) return { case: 'gap', from: nextNumber, to: first.number - 1n }
  if (first.number === nextNumber && (tip === null || first.parentHash === tip.hash)) {
    return { case: 'next', blocks: branch }
  }
  const shared = branch.findLastIndex((block) => hashes.get(block.number) === block.hash)
  if (shared >= 0) return placeAbove(tip, (branch[shared] as B).number, branch.slice(shared + 1))
  if (hashes.get(first.number - 1n) === first.parentHash) return placeAbove(tip, first.number - 1n, branch)
  // Blocks below the first one that concerns us count as shared.
  if (first.number <= start) return placeAbove(tip, start - 1n, branch.slice(Number(start - first.number)))
  const deepest = lowest(hashes)
  if (deepest === null || first.number <= deepest) return { case: 'unknownAncestor' }
  return { case: 'fork', parent: first.parentHash }
}

/**
 * True for a branch that ends below every block that we know and so cannot be compared. Such a node is far behind, for
 * example because it has just begun to sync. If it is on another chain, that shows when its branch has grown.
 */
const isBehind = (last: BlockLink, start: bigint, deepest: bigint | null): boolean =>
  last.number < start || (deepest !== null && last.number < deepest)

/** True for at least one block, each the child of the one before it. */
export function isLinked(blocks: readonly BlockLink[]): boolean {
  return (
    blocks.length > 0 &&
    blocks.every((block, index) => {
      const parent = blocks[index - 1]
      return parent === undefined || (block.number === parent.number + 1n && block.parentHash === parent.hash)
    })
  )
}

function placeAbove<B extends BlockLink>(
  tip: FollowedBlocks['tip'],
  ancestor: bigint,
  blocks: readonly B[],
): Reconciliation<B> {
  return tip?.number === ancestor ? { case: 'next', blocks } : { case: 'reorganisation', ancestor, blocks }
}

function lowest(hashes: ReadonlyMap<bigint, string>): bigint | null {
  let lowestNumber: bigint | null = null
  for (const number of hashes.keys()) if (lowestNumber === null || number < lowestNumber) lowestNumber = number
  return lowestNumber
}
