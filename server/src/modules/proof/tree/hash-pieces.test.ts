import {
  buildTree,
  leafNode,
  NODE_BYTES,
  readNode,
  SUM_LIMIT,
  type SumNode,
  writeNode,
} from '@candela/protocol/proof/sum-tree'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildPieces } from './build-pieces.ts'
import { hashPieces, PIECE, withParents } from './hash-pieces.ts'

const bytesOf = (nodes: readonly SumNode[]): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(nodes.length * NODE_BYTES)
  for (const [nth, node] of nodes.entries()) writeNode(bytes, nth * NODE_BYTES, node)
  return bytes
}
const nodesOf = (bytes: Uint8Array): SumNode[] =>
  Array.from({ length: bytes.length / NODE_BYTES }, (_, nth) => readNode(bytes, nth * NODE_BYTES))

const nodeWith = (usdt: bigint): SumNode => ({ hash: new Uint8Array(32), sums: [0n, usdt, 0n] })

const anySum = fc.oneof(fc.bigInt({ min: 0n, max: 300n }), fc.bigInt({ min: 0n, max: SUM_LIMIT / 64n - 1n }))
const anyNode = fc
  .tuple(fc.uint8Array({ minLength: 32, maxLength: 32 }), anySum, anySum, anySum)
  .map(([hash, usdt, coin, ju]): SumNode => ({ hash, sums: [usdt, coin, ju] }))
const anyLevel = fc
  .integer({ min: 0, max: 5 })
  .chain((depth) => fc.array(anyNode, { minLength: 2 ** depth, maxLength: 2 ** depth }))

test('a piece has the nodes of the protocol’s tree, level by level', () => {
  fc.assert(
    fc.property(anyLevel, (lowest) => {
      expect(nodesOf(withParents(bytesOf(lowest)))).toEqual(buildTree(lowest).flat())
    }),
    { numRuns: 200 },
  )
})

test('a sum that does not fit is refused, and the largest that does is right', () => {
  const pair = [nodeWith(SUM_LIMIT - 2n), nodeWith(1n)]
  expect(readNode(withParents(bytesOf(pair)), 2 * NODE_BYTES).sums).toEqual([0n, SUM_LIMIT - 1n, 0n])
  expect(() => withParents(bytesOf([nodeWith(SUM_LIMIT - 2n), nodeWith(2n)]))).toThrow(RangeError)
})

test('a tree of many tasks and tiers has the pieces and the root of the protocol’s tree', async () => {
  const context = new Uint8Array(32).fill(3)
  const member = `0x${'ab'.repeat(20)}`
  const leaves = Array.from({ length: 2 ** 13 }, (_, nth) =>
    leafNode(context, { member, owed: [BigInt(nth), 7n, 10n ** 20n], salt: new Uint8Array(32) }),
  )
  let tasks = 0
  const { pieces, root } = await buildPieces(bytesOf(leaves), async (task) => {
    tasks += 1
    return hashPieces(task)
  })
  const levels = buildTree(leaves)
  expect(tasks).toBeGreaterThan(2)
  expect(root).toEqual(levels.at(-1)?.[0])
  for (const [tier, level] of [levels[0], levels[8]].entries()) {
    const own = pieces.filter((piece) => piece.tier === tier)
    expect(own.map(({ part }) => part)).toEqual(own.map((_, part) => part))
    expect(own.flatMap(({ nodes }) => nodesOf(nodes))).toEqual(level)
    expect(own[0]?.nodes).toHaveLength(Math.min(PIECE, level?.length ?? 0) * NODE_BYTES)
  }
})
