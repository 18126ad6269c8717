import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkPath, fromSums, type ProofFile, proofFile } from './proof-file.ts'
import {
  addSums,
  buildTree,
  contextHash,
  fromHex,
  leafNode,
  noSums,
  parentNode,
  pathOf,
  readNode,
  rootOf,
  saltOf,
  SUM_LIMIT,
  type SumNode,
  type Sums,
  toHex,
  writeNode,
  NODE_BYTES,
} from './sum-tree.ts'
import { proofOf, type TestLeaf, testContext, treeOf } from './testing.ts'
import vectors from './test-vectors.json' with { type: 'json' }

const member = (index: number) => `0x${(index + 1).toString(16).padStart(40, '0')}`
const salt = (index: number) => new Uint8Array(32).fill(index + 1)
const leaf = (index: number, owed: Sums = [BigInt(index), 10n ** 18n, 0n]): TestLeaf => ({
  member: member(index),
  owed,
  salt: salt(index),
})

const anySum = fc.oneof(fc.bigInt({ min: 0n, max: 5n }), fc.bigInt({ min: 0n, max: SUM_LIMIT / 64n - 1n }))
const anyLeaf = fc.record({
  member: fc.bigInt({ min: 0n, max: 2n ** 160n - 1n }).map((number) => `0x${number.toString(16).padStart(40, '0')}`),
  owed: fc.tuple(anySum, anySum, anySum),
  salt: fc.uint8Array({ minLength: 32, maxLength: 32 }),
})
const anyLeaves = fc
  .integer({ min: 0, max: 4 })
  .chain((depth) => fc.array(anyLeaf, { minLength: 2 ** depth, maxLength: 2 ** depth }))

describe('format', () => {
  test('hashes are those of the test vectors, which the contract has to agree with', () => {
    const leaves = vectors.leaves.map(({ member: who, owed, salt: derived }) => ({
      member: who,
      owed: [BigInt(owed[0] ?? ''), BigInt(owed[1] ?? ''), BigInt(owed[2] ?? '')] as const,
      salt: Uint8Array.from(Buffer.from(derived.slice(2), 'hex')),
    }))
    expect(toHex(contextHash(vectors))).toBe(vectors.context)
    const salts = vectors.leaves.map(({ secret }) => toHex(saltOf(fromHex(secret), contextHash(vectors))))
    expect(salts).toEqual(vectors.leaves.map(({ salt: derived }) => derived))
    const levels = treeOf(leaves, vectors)
    expect(levels[0]?.map(({ hash }) => toHex(hash))).toEqual(vectors.leaves.map(({ hash }) => hash))
    expect(levels[1]?.map(({ hash }) => toHex(hash))).toEqual(vectors.parents)
    expect(toHex(levels[2]?.[0]?.hash ?? new Uint8Array())).toBe(vectors.root.hash)
    expect(fromSums(levels[2]?.[0]?.sums ?? noSums)).toEqual(vectors.root.sums)
  })

  test('a node is read as it was written', () => {
    fc.assert(
      fc.property(anyLeaf, fc.nat(9), (drawn, offset) => {
        const node = leafNode(contextHash(testContext), drawn)
        const bytes = new Uint8Array(NODE_BYTES + 20)
        writeNode(bytes, offset, node)
        expect(readNode(bytes, offset)).toEqual(node)
      }),
    )
  })

  test('chain, gateway, day and the secret are in each salt', () => {
    const others = [
      { ...testContext, chainId: 1 },
      { ...testContext, gateway: member(8) },
      { ...testContext, day: '2026-11-23' },
    ]
    const salts = [testContext, ...others].map((context) => toHex(saltOf(salt(1), contextHash(context))))
    expect(new Set([...salts, toHex(saltOf(salt(2), contextHash(testContext)))]).size).toBe(5)
  })

  test('chain, gateway and day are in each leaf', () => {
    const others = [
      { ...testContext, chainId: 1 },
      { ...testContext, gateway: member(8) },
      { ...testContext, day: '2026-11-23' },
    ]
    const hashes = [testContext, ...others].map((context) => toHex(leafNode(contextHash(context), leaf(1)).hash))
    expect(new Set(hashes).size).toBe(4)
  })

  test('a parent cannot be taken for a leaf', () => {
    // The first byte of what is hashed differs, and its length.
    const node = leafNode(contextHash(testContext), leaf(1))
    const parent = parentNode(node, node)
    expect(toHex(parent.hash)).not.toBe(toHex(node.hash))
    expect(checkPath({ ...proofOf([leaf(0), leaf(1)], 0), path: [] })).toBe('hash')
  })
})

describe('a path', () => {
  test('leads from every leaf of any tree to its root, and the root has the sum of all', () => {
    fc.assert(
      fc.property(anyLeaves, (leaves) => {
        const levels = treeOf(leaves)
        const root = levels.at(-1)?.[0] as SumNode
        expect(root.sums).toEqual(leaves.map(({ owed }): Sums => owed).reduce(addSums, noSums))
        for (const [position, own] of (levels[0] ?? []).entries()) {
          expect(rootOf(own, pathOf(levels, position))).toEqual(root)
        }
        const proof = proofOf(leaves, leaves.length - 1)
        expect(checkPath(proofFile.parse(JSON.parse(JSON.stringify(proof))))).toBeNull()
      }),
      { numRuns: 30 },
    )
  })

  test('of 10,000 changes to a leaf, a sum, a salt, a path or its order each is found', () => {
    const leaves = Array.from({ length: 4 }, (_, index) => leaf(index, [BigInt(index) + 5n, 10n ** 20n, 7n]))
    const proofs = leaves.map((_, position) => proofOf(leaves, position))
    expect(proofs.map(checkPath)).toEqual(proofs.map(() => null))
    let found = 0
    fc.assert(
      fc.property(fc.nat(3), anyChange, (position, change) => {
        const before = proofs[position] as ProofFile
        const after = change(structuredClone(before))
        fc.pre(JSON.stringify(after) !== JSON.stringify(before))
        expect(checkPath(after)).not.toBeNull()
        found += 1
      }),
      { numRuns: 10_000 },
    )
    expect(found).toBe(10_000)
  })

  test('is refused when it is too long, or the position is outside of it', () => {
    const node = leafNode(contextHash(testContext), leaf(1))
    const sibling = { hash: salt(1), sums: noSums }
    expect(() => rootOf(node, { position: 0, siblings: Array.from({ length: 33 }, () => sibling) })).toThrow(RangeError)
    for (const position of [-1, 2, 0.5, Number.NaN]) {
      expect(() => rootOf(node, { position, siblings: [sibling] })).toThrow(RangeError)
    }
  })
})

describe('known mistakes', () => {
  test('equal leaves reused: what two members are owed alike is never the same leaf', () => {
    const context = contextHash(testContext)
    const same: Sums = [1n, 2n, 3n]
    const one = leafNode(context, { member: member(1), owed: same, salt: salt(1) })
    const other = leafNode(context, { member: member(2), owed: same, salt: salt(1) })
    expect(toHex(one.hash)).not.toBe(toHex(other.hash))
  })

  test('negative or overflowing sums: neither is hashed, at a leaf or above', () => {
    const context = contextHash(testContext)
    for (const amount of [-1n, SUM_LIMIT]) {
      expect(() => leafNode(context, { ...leaf(1), owed: [amount, 0n, 0n] })).toThrow(RangeError)
      expect(() => addSums([0n, 0n, amount], noSums)).toThrow(RangeError)
    }
    const half = leafNode(context, { ...leaf(1), owed: [0n, SUM_LIMIT / 2n, 0n] })
    const below = leafNode(context, { ...leaf(2), owed: [0n, SUM_LIMIT / 2n - 1n, 0n] })
    expect(parentNode(half, below).sums).toEqual([0n, SUM_LIMIT - 1n, 0n])
    expect(() => parentNode(half, half)).toThrow(RangeError)
    // A sum of a pair that is right in total hides a negative one in neither child.
    expect(() => addSums([-5n, 0n, 0n], [8n, 0n, 0n])).toThrow(RangeError)
  })

  test('sums of siblings left out of the hash: moving an amount from one child to the other changes the parent', () => {
    const one = { hash: salt(1), sums: [3n, 0n, 0n] as const }
    const other = { hash: salt(2), sums: [4n, 0n, 0n] as const }
    const moved = parentNode({ ...one, sums: [4n, 0n, 0n] }, { ...other, sums: [3n, 0n, 0n] })
    expect(moved.sums).toEqual(parentNode(one, other).sums)
    expect(toHex(moved.hash)).not.toBe(toHex(parentNode(one, other).hash))
  })

  test('an incomplete tree is none', () => {
    expect(() => buildTree([1, 2, 3].map(() => ({ hash: salt(1), sums: noSums })))).toThrow(RangeError)
    expect(() => buildTree([])).toThrow(RangeError)
  })
})

const flip = (hex: string, bit: number): string => {
  const digit = 2 + (bit % (hex.length - 2))
  const changed = (Number.parseInt(hex[digit] ?? '0', 16) ^ (1 << (bit % 4))).toString(16)
  return hex.slice(0, digit) + changed + hex.slice(digit + 1)
}

const move = (sums: readonly [string, string, string], which: number, by: bigint): [string, string, string] => {
  const changed = sums.map((text, index) => `${BigInt(text) + (index === which ? by : 0n)}`)
  return [changed[0] ?? '', changed[1] ?? '', changed[2] ?? '']
}

const anyBy = fc.constantFrom(-5n, -1n, 1n, 10n ** 18n)
const anyChange: fc.Arbitrary<(proof: ProofFile) => ProofFile> = fc
  .record({ kind: fc.nat(10), bit: fc.nat(1_000), which: fc.nat(2), level: fc.nat(1), by: anyBy })
  .map(({ kind, bit, which, level, by }) => (proof) => {
    const { leaf: own, path, root } = proof
    const sibling = path[level] as ProofFile['path'][number]
    if (kind === 0) own.member = flip(own.member, bit)
    if (kind === 1) own.salt = flip(own.salt, bit)
    if (kind === 2) own.owed = move(own.owed, which, by)
    if (kind === 3) own.position = (own.position + 1 + (bit % 3)) % 4
    if (kind === 4) sibling.hash = flip(sibling.hash, bit)
    if (kind === 5) sibling.sums = move(sibling.sums, which, by)
    if (kind === 6) path.splice(level, 1)
    if (kind === 7) path.splice(level, 0, structuredClone(sibling))
    if (kind === 8) path.reverse()
    if (kind === 9) root.sums = move(root.sums, which, by)
    // The amount is taken from the leaf and given to its sibling, so that all sums above stay.
    if (kind === 10) {
      own.owed = move(own.owed, which, -1n)
      const [first] = path
      if (first !== undefined) first.sums = move(first.sums, which, 1n)
    }
    return proof
  })
