import type { SecretProofFile } from '@candela/protocol/proof/proof-file'
import { toHex } from '@candela/protocol/proof/sum-tree'
import { collectTree, parseTreeParts, proofInTree } from '@candela/protocol/proof/tree-file'

/** A file that the person has opened. */
export type OpenedFile = { name: string; text: () => Promise<string> }

/** Why the files give no proof. */
export type TreeProblem =
  /** A file that has something else than parts of one tree. */
  | { what: 'notATree'; name: string }
  /** So many parts of the day are there. */
  | { what: 'missing'; have: number; parts: number | null }
  /** The leaves do not lead to the attested root. */
  | { what: 'otherRoot' }
  /** They do, and none of them is the member's by the proof's secret. */
  | { what: 'noLeaf' }

/**
 * The proof of the last attested day, from a saved one of another day and that day's tree.
 * @param last what the contract has on record
 * @param tell how much of the work is done, from 0 to 1; awaited, so that the page can draw
 */
export async function proofByTree(
  saved: SecretProofFile,
  files: readonly OpenedFile[],
  last: { day: string; root: string },
  tell: (done: number) => Promise<void> | void,
): Promise<SecretProofFile | TreeProblem> {
  const tree = collectTree(last.day)
  for (const [nth, file] of files.entries()) {
    const parts = parseTreeParts(await file.text())
    if (parts === null || !parts.every((part) => tree.add(part))) return { what: 'notATree', name: file.name }
    await tell(nth / files.length / 2)
  }
  const leaves = tree.leaves()
  if (leaves === null) return { what: 'missing', ...tree.progress() }
  try {
    const { root, proof } = await proofInTree(saved, leaves, (made, all) => tell((1 + made / all) / 2))
    if (toHex(root.hash) !== last.root) return { what: 'otherRoot' }
    return proof ?? { what: 'noLeaf' }
  } catch (error) {
    // Sums that do not fit are of no tree that could be attested.
    if (error instanceof RangeError) return { what: 'otherRoot' }
    throw error
  }
}
