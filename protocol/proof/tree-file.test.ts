import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkPath, type SecretProofFile } from './proof-file.ts'
import { SUM_LIMIT, type Sums, toHex } from './sum-tree.ts'
import { type SecretLeaf, secretProofOf, testContext, treePartsOf } from './testing.ts'
import { collectTree, parseTreeParts, proofInTree, type TreeLeaves, type TreePart } from './tree-file.ts'

const later = { ...testContext, day: '2026-11-24' }
const anySum = fc.oneof(fc.bigInt({ min: 0n, max: 5n }), fc.bigInt({ min: 0n, max: SUM_LIMIT / 64n - 1n }))
const anySums = fc.tuple(anySum, anySum, anySum)
const member = (index: number) => `0x${(index + 1).toString(16).padStart(40, '0')}`
const secret = (index: number) => new Uint8Array(32).fill(index + 1)
const leaf = (index: number, owed: Sums = [BigInt(index), 7n, 0n]): SecretLeaf => ({
  member: member(index),
  owed,
  secret: secret(index),
})
const leavesOf = (count: number) => Array.from({ length: count }, (_, index) => leaf(index))

function treeOfParts(parts: readonly TreePart[]): TreeLeaves {
  const tree = collectTree(later.day)
  expect(parts.map((part) => tree.add(part))).toEqual(parts.map(() => true))
  const leaves = tree.leaves()
  if (leaves === null) throw new Error('a part is missing')
  return leaves
}

test('a proof of one day and the leaves of another give the proof of the other, at any place and with any amounts', async () => {
  const anyDay = fc
    .integer({ min: 0, max: 4 })
    .chain((depth) => fc.tuple(fc.shuffledSubarray(leavesOf(2 ** depth), { minLength: 2 ** depth }), fc.nat(), anySums))
  await fc.assert(
    fc.asyncProperty(anyDay, async ([leaves, drawn, owed]) => {
      const position = drawn % leaves.length
      const own = leaves[position] as SecretLeaf
      const changed = leaves.map((one) => (one === own ? { ...own, owed } : one))
      const saved = secretProofOf([own, leaf(99)], 0)
      const tree = treeOfParts(treePartsOf(changed, Math.max(1, changed.length / 2), later).toReversed())
      const { root, proof } = await proofInTree(saved, tree)
      expect(proof).toEqual(secretProofOf(changed, position, later))
      expect(checkPath(proof as SecretProofFile)).toBeNull()
      expect(toHex(root.hash)).toBe(proof?.root.hash)
    }),
    { numRuns: 60 },
  )
})

test('by another secret or member, or for another contract, no leaf is found', async () => {
  const tree = treeOfParts(treePartsOf(leavesOf(8), 4, later))
  const saved = secretProofOf(leavesOf(2), 1)
  const found = async (changed: Partial<SecretProofFile>) => (await proofInTree({ ...saved, ...changed }, tree)).proof
  expect(await found({})).not.toBeNull()
  expect(await found({ secret: toHex(secret(2)) })).toBeNull()
  expect(await found({ leaf: { ...saved.leaf, member: member(2) } })).toBeNull()
  expect(await found({ gateway: member(5) })).toBeNull()
  expect(await found({ chainId: 1 })).toBeNull()
})

test('whatever is altered in the leaves, the root is another or the own leaf is not found', async () => {
  const saved = secretProofOf(leavesOf(2), 1)
  const honest = treeOfParts(treePartsOf(leavesOf(8), 4, later))
  const { root } = await proofInTree(saved, honest)
  await fc.assert(
    fc.asyncProperty(fc.nat(honest.nodes.length - 1), fc.integer({ min: 1, max: 255 }), async (place, change) => {
      const nodes = honest.nodes.slice()
      nodes[place] = (nodes[place] ?? 0) ^ change
      // A sum that does not fit any more is refused.
      const altered = await proofInTree(saved, { ...honest, nodes }).catch((error: unknown) => {
        expect(error).toBeInstanceOf(RangeError)
      })
      if (altered !== undefined) expect(toHex(altered.root.hash)).not.toBe(toHex(root.hash))
    }),
    { numRuns: 640 },
  )
})

test('a secret that does not give the salt is found, and so is another salt', () => {
  const proof = secretProofOf(leavesOf(2), 1)
  expect(checkPath(proof)).toBeNull()
  expect(checkPath({ ...proof, secret: toHex(secret(0)) })).toBe('salt')
  expect(checkPath({ ...proof, leaf: { ...proof.leaf, salt: toHex(secret(0)) } })).toBe('salt')
  expect(checkPath({ ...proof, day: '2026-11-23' })).toBe('salt')
})

test('parts of the same tree are collected in any order, once; other days are passed over, and other trees refused', () => {
  const parts = treePartsOf(leavesOf(8), 2, later)
  const [first, second, third] = parts as [TreePart, TreePart, TreePart]
  const tree = collectTree(later.day)
  expect(tree.progress()).toEqual({ have: 0, parts: null })
  expect(tree.add({ ...first, day: testContext.day, leaves: 2 })).toBe(true)
  expect([tree.add(third), tree.add(third), tree.add(first)]).toEqual([true, true, true])
  expect(tree.progress()).toEqual({ have: 2, parts: 4 })
  expect(tree.leaves()).toBeNull()
  expect(tree.add({ ...second, leaves: 16 })).toBe(false)
  expect(tree.add({ ...second, parts: 8 })).toBe(false)
  expect(tree.add({ ...second, part: 4 })).toBe(false)
  expect(tree.add({ ...second, items: second.items.slice(1) })).toBe(false)
  for (const part of parts) tree.add(part)
  expect(tree.leaves()?.nodes).toEqual(treeOfParts(parts).nodes)
})

test('a file has one part, or one on each line', () => {
  const parts = treePartsOf(leavesOf(4), 2, later)
  const texts = parts.map((part) => JSON.stringify(part))
  expect(parseTreeParts(JSON.stringify(parts[0], null, 2))).toEqual([parts[0]])
  expect(parseTreeParts(`${texts.join('\n')}\n`)).toEqual(parts)
  for (const other of ['', 'no JSON', '{}', `${texts[0]}\n{}`, JSON.stringify(secretProofOf(leavesOf(2), 0))])
    expect(parseTreeParts(other)).toBeNull()
})

test('other work gets its turn while a large tree is hashed, and hears how far it is', async () => {
  const count = 2_048
  const turns: [number, number][] = []
  const tree = treeOfParts(treePartsOf(leavesOf(count), 256, later))
  const { proof } = await proofInTree(secretProofOf(leavesOf(2), 1), tree, (made, all) => void turns.push([made, all]))
  expect(proof?.leaf.position).toBe(1)
  expect(turns.map(([, all]) => all)).toEqual(turns.map(() => 2 * count - 1))
  expect(turns.map(([made]) => made)).toEqual([1_000, 2_000, 3_000, 4_000])
})
