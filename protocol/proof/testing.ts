import { fromSums, type ProofFile } from './proof-file.ts'
import {
  buildTree,
  contextHash,
  type Leaf,
  leafNode,
  pathOf,
  type SumNode,
  toHex,
  type TreeContext,
} from './sum-tree.ts'

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

const nodeText = ({ hash, sums }: SumNode) => ({ hash: toHex(hash), sums: fromSums(sums) })

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
