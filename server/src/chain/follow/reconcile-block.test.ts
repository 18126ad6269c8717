import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type BlockLink, type FollowedBlocks, isLinked, reconcileBlock } from './reconcile-block.ts'

const block = (number: number, hash: string, parentHash: string): BlockLink => ({
  number: BigInt(number),
  hash,
  parentHash,
})

/** Our chain: blocks 10 (a) to 13 (d). */
const ours = [block(10, 'a', 'root'), block(11, 'b', 'a'), block(12, 'c', 'b'), block(13, 'd', 'c')]

function followedOf(blocks: readonly BlockLink[], start = 10n): FollowedBlocks {
  return { tip: blocks.at(-1) ?? null, start, hashes: new Map(blocks.map(({ number, hash }) => [number, hash])) }
}

describe('the cases', () => {
  test('a block that we have is known, also when the node is behind', () => {
    expect(reconcileBlock(followedOf(ours), [block(13, 'd', 'c')])).toEqual({ case: 'known' })
    expect(reconcileBlock(followedOf(ours), [block(11, 'b', 'a')])).toEqual({ case: 'known' })
  })

  test('a child of our last block is next', () => {
    const blocks = [block(14, 'e', 'd'), block(15, 'f', 'e')]
    expect(reconcileBlock(followedOf(ours), blocks)).toEqual({ case: 'next', blocks })
    expect(reconcileBlock(followedOf(ours), [block(13, 'd', 'c'), ...blocks])).toEqual({ case: 'next', blocks })
  })

  test('the first block that concerns us is next whatever its parent', () => {
    const first = [block(10, 'a', 'anything')]
    expect(reconcileBlock(followedOf([]), first)).toEqual({ case: 'next', blocks: first })
    expect(reconcileBlock(followedOf([]), [block(9, 'z', 'y')])).toEqual({ case: 'known' })
    expect(reconcileBlock(followedOf([]), [block(12, 'c', 'b')])).toEqual({ case: 'gap', from: 10n, to: 11n })
  })

  test('a later block leaves a gap', () => {
    expect(reconcileBlock(followedOf(ours), [block(17, 'h', 'g')])).toEqual({ case: 'gap', from: 14n, to: 16n })
  })

  test('the ancestor is the highest block of the branch that we have', () => {
    const branch = [block(11, 'b', 'a'), block(12, 'c', 'b'), block(13, 'd2', 'c')]
    const blocks = branch.slice(2)
    expect(reconcileBlock(followedOf(ours), branch)).toEqual({ case: 'reorganisation', ancestor: 12n, blocks })
  })

  test('a block on a foreign parent is a fork until the ancestor shows', () => {
    expect(reconcileBlock(followedOf(ours), [block(14, 'e2', 'd2')])).toEqual({ case: 'fork', parent: 'd2' })
    const branch = [block(12, 'c2', 'b'), block(13, 'd2', 'c2'), block(14, 'e2', 'd2')]
    expect(reconcileBlock(followedOf(ours), branch.slice(1))).toEqual({ case: 'fork', parent: 'c2' })
    expect(reconcileBlock(followedOf(ours), branch)).toEqual({ case: 'reorganisation', ancestor: 11n, blocks: branch })
  })

  test('a branch that is shorter than ours still reorganises', () => {
    const branch = [block(11, 'b2', 'a')]
    expect(reconcileBlock(followedOf(ours), branch)).toEqual({ case: 'reorganisation', ancestor: 10n, blocks: branch })
  })

  test('the block in which the gateway was deployed may move, too', () => {
    const branch = [block(9, 'z2', 'y'), block(10, 'a2', 'z2')]
    const expected = { case: 'reorganisation', ancestor: 9n, blocks: branch.slice(1) }
    expect(reconcileBlock(followedOf(ours), branch)).toEqual(expected)
    expect(reconcileBlock(followedOf(ours), branch.slice(1))).toEqual(expected)
  })

  test('a node that is behind all we know takes nothing back: it may have just begun to read the chain', () => {
    expect(reconcileBlock(followedOf(ours), [block(8, 'x', 'w')])).toEqual({ case: 'known' })
    expect(reconcileBlock(followedOf(ours.slice(2)), [block(11, 'b', 'a')])).toEqual({ case: 'known' })
    expect(reconcileBlock(followedOf(ours.slice(2)), [block(11, 'b2', 'a')])).toEqual({ case: 'known' })
  })

  test('a branch that leaves below all we know has an unknown ancestor', () => {
    const pruned = followedOf(ours.slice(2))
    expect(reconcileBlock(pruned, [block(12, 'c2', 'b2'), block(13, 'd2', 'c2')])).toEqual({ case: 'unknownAncestor' })
  })

  test('blocks that are not linked are refused', () => {
    expect(() => reconcileBlock(followedOf(ours), [])).toThrow(RangeError)
    expect(() => reconcileBlock(followedOf(ours), [block(14, 'e', 'd'), block(16, 'f', 'e')])).toThrow(RangeError)
    expect(() => reconcileBlock(followedOf(ours), [block(14, 'e', 'd'), block(15, 'f', 'x')])).toThrow(RangeError)
  })
})

/** A tree in which block 0 is the root and block n hangs on one of the blocks before it. */
function treeOf(parents: readonly number[]): BlockLink[] {
  const tree = [block(3, 'h0', 'none')]
  for (const [index, pick] of parents.entries()) {
    // Mostly long branches: the pick counts back from the newest block.
    const parent = tree[Math.max(0, tree.length - 1 - pick)] as BlockLink
    tree.push({ number: parent.number + 1n, hash: `h${index + 1}`, parentHash: parent.hash })
  }
  return tree
}

/** From the root to the block. */
function pathTo(tree: readonly BlockLink[], head: BlockLink): BlockLink[] {
  const byHash = new Map(tree.map((one) => [one.hash, one]))
  const path: BlockLink[] = []
  for (let one: BlockLink | undefined = head; one !== undefined; one = byHash.get(one.parentHash)) path.unshift(one)
  return path
}

/** Follows one head as the follower does, asking the "node" for blocks by number and by hash. */
function follow(
  chain: BlockLink[],
  path: readonly BlockLink[],
  keep: number,
  start: bigint,
  width: bigint,
): BlockLink[] {
  const head = path.at(-1) as BlockLink
  const byNumber = new Map(path.map((one) => [one.number, one]))
  let branch = [head]
  for (let step = 0; step < 200; step++) {
    const followed = followedOf(chain.slice(-keep), start)
    const result = reconcileBlock({ ...followed, tip: chain.at(-1) ?? null }, branch)
    switch (result.case) {
      case 'known':
        return chain
      case 'gap': {
        // No more than `width` blocks at a time, so that the head is reached in several strides.
        const last = result.to - result.from < width ? result.to : result.from + width - 1n
        branch = path.filter(({ number }) => number >= result.from && number <= last)
        break
      }
      case 'fork': {
        const parent = path.find(({ hash }) => hash === result.parent) as BlockLink
        branch = [parent, ...branch]
        break
      }
      case 'next':
        chain = [...chain, ...result.blocks]
        branch = [head]
        break
      case 'reorganisation':
        chain = [...chain.filter(({ number }) => number <= result.ancestor), ...result.blocks]
        branch = [head]
        break
      case 'unknownAncestor': {
        const shared = chain.findLastIndex((one) => byNumber.get(one.number)?.hash === one.hash)
        // Only a branch that leaves below what is kept may end here.
        expect(shared).toBeLessThan(chain.length - keep)
        chain = chain.slice(0, shared + 1)
        branch = [head]
        break
      }
    }
  }
  throw new Error('the head was not reached in 200 steps')
}

test('on any tree of blocks, our chain ends as the path to each head in turn, and stays linked', () => {
  const parents = fc.array(fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.nat(12)), {
    minLength: 1,
    maxLength: 60,
  })
  const scenario = fc.record({
    parents,
    heads: fc.array(fc.nat(60), { minLength: 1, maxLength: 12 }),
    keep: fc.integer({ min: 1, max: 70 }),
    start: fc.integer({ min: 3, max: 12 }),
    width: fc.integer({ min: 1, max: 8 }),
  })
  fc.assert(
    fc.property(scenario, ({ parents: picks, heads, keep, start, width }) => {
      const tree = treeOf(picks)
      let chain: BlockLink[] = []
      for (const pick of heads) {
        const path = pathTo(tree, tree[pick % tree.length] as BlockLink)
        const before = chain
        chain = follow(chain, path, keep, BigInt(start), BigInt(width))
        const concerning = path.filter(({ number }) => number >= BigInt(start))
        const head = path.at(-1) as BlockLink
        // A head that we have passed already leaves our chain as it was.
        const seen = chain.findIndex(({ hash }) => hash === head.hash)
        const upToHead = seen < 0 ? chain : chain.slice(0, seen + 1)
        const deepest = before.slice(-keep)[0]
        // A head below all that we keep may be that of a node far behind.
        if (deepest !== undefined && head.number < deepest.number) expect(chain).toEqual(before)
        else if (concerning.length > 0) expect(upToHead).toEqual(concerning)
        if (chain.length > 0) expect(isLinked(chain)).toBe(true)
      }
    }),
    { numRuns: 500 },
  )
})
