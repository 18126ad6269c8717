import { fromSums, nodeText, type ProofFile, type SecretProofFile } from './proof-file.ts'
import {
  buildTree,
  contextHash,
  type Leaf,
  leafNode,
  pathOf,
  saltOf,
  type SumNode,
  toHex,
  type TreeContext,
} from './sum-tree.ts'
import type { TreePart } from './tree-file.ts'

/** Trees and proofs for tests. */

export type TestLeaf = Leaf

export const testContext: TreeContext = {
  chainId: 210_000,
  gateway: '0x00000000000000000000000000000000000000aa',
  day: '2026-11-22',
}

/** @param leaves as many as a power of two */
export function treeOf(leaves: readonly TestLeaf[], context: TreeContext = testContext): SumNode[][] {
  const hashed = contextHash(context)
  return buildTree(leaves.map((leaf) => leafNode(hashed, leaf)))
}

/** The proof of one leaf of a tree. */
export function proofOf(leaves: readonly TestLeaf[], position: number, context: TreeContext = testContext): ProofFile {
  const levels = treeOf(leaves, context)
  const leaf = leaves[position]
  const root = levels.at(-1)?.[0]
  if (leaf === undefined || root === undefined) throw new Error(`the tree has no leaf ${position}`)
  return {
    format: 'candela.proof',
    version: 1,
    ...context,
    block: 1,
    ledgerSequence: '1',
    root: nodeText(root),
    leaf: { member: leaf.member, position, owed: fromSums(leaf.owed), salt: toHex(leaf.salt) },
    path: pathOf(levels, position).siblings.map(nodeText),
  }
}

/** A member's leaf on a day, and the secret that its salt is derived from. */
export type SecretLeaf = Omit<Leaf, 'salt'> & { secret: Uint8Array }

const salted = (leaves: readonly SecretLeaf[], context: TreeContext): Leaf[] =>
  leaves.map(({ member, owed, secret }) => ({ member, owed, salt: saltOf(secret, contextHash(context)) }))

/** The proof of one leaf of a tree, with the member's secret. */
export function secretProofOf(
  leaves: readonly SecretLeaf[],
  position: number,
  context: TreeContext = testContext,
): SecretProofFile {
  const secret = toHex(leaves[position]?.secret ?? new Uint8Array())
  return { ...proofOf(salted(leaves, context), position, context), version: 2, secret }
}

/** The leaves of a tree as they are downloaded, in parts of as many. */
export function treePartsOf(
  leaves: readonly SecretLeaf[],
  each: number,
  context: TreeContext = testContext,
): TreePart[] {
  const nodes = treeOf(salted(leaves, context), context)[0] ?? []
  return Array.from({ length: leaves.length / each }, (_, part) => ({
    day: context.day,
    block: 1,
    ledgerSequence: '1',
    leaves: leaves.length,
    parts: leaves.length / each,
    part,
    items: nodes.slice(part * each, (part + 1) * each).map(nodeText),
  }))
}
