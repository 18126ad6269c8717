// oxlint-disable-next-line import/no-unassigned-import -- it runs, and exports nothing
import '../lib/plain-schemas.ts'
import type { SecretProofFile } from '@candela/protocol/proof/proof-file'
import { toHex } from '@candela/protocol/proof/sum-tree'
import { readText } from '../lib/read-text.ts'
import { collectTree, parseTreeParts, proofInTree } from '@candela/protocol/proof/tree-file'

/** A file that the person has opened. */
export type OpenedFile = Pick<File, 'name' | 'size' | 'slice'>

/** More than one part has, in bytes, also where it is written over many lines. */
export const MAX_PART_BYTES = 1024 * 1024

/** More than the whole tree of ten million members, in bytes. */
const MAX_TREE_BYTES = 4 * 1024 ** 3

/** The texts of a file: all of a small one, or the lines of a larger one, of which never more than a part is in memory. Null for what is too large. */
async function* textsOf(file: OpenedFile): AsyncGenerator<string | null> {
  if (file.size <= MAX_PART_BYTES) {
    yield await readText(file.slice(0))
    return
  }
  let rest = ''
  for (let from = 0; from < file.size; from += MAX_PART_BYTES) {
    const [first = '', ...others] = (await readText(file.slice(from, from + MAX_PART_BYTES))).split('\n')
    const lines = [rest + first, ...others]
    rest = lines.pop() ?? ''
    yield* lines
    if (rest.length > MAX_PART_BYTES) {
      yield null
      return
    }
  }
  yield rest
}

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
  const all_bytes = files.reduce((sum, { size }) => sum + size, 0)
  const largest = files.toSorted((one, other) => other.size - one.size)[0]
  if (largest !== undefined && all_bytes > MAX_TREE_BYTES) return { what: 'notATree', name: largest.name }
  let read_bytes = 0
  for (const file of files)
    for await (const text of textsOf(file)) {
      const isBlank = text !== null && text.trim() === '' && file.size > 0
      const parts = text === null || isBlank ? null : parseTreeParts(text)
      if (!isBlank && (parts === null || !parts.every((part) => tree.add(part))))
        return { what: 'notATree', name: file.name }
      read_bytes += text?.length ?? 0
      await tell(Math.min(1, read_bytes / all_bytes) / 2)
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
