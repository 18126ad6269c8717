import { z } from 'zod'
import { dayData } from '../fields.ts'
import { fromSums, nodeData, nodeText, type SecretProofFile, toNode } from './proof-file.ts'
import {
  contextHash,
  fromHex,
  leafNode,
  NODE_BYTES,
  parentNode,
  readNode,
  saltOf,
  type SumNode,
  toHex,
  writeNode,
} from './sum-tree.ts'

/**
 * The leaves of an attested day as anybody can download and keep them, and how a member finds its own among them by a proof of any
 * other day: by its secret it knows the salt of each day, and the only leaf that hashes from it has what it is owed.
 */

/** The answer of `solvency/tree`, and what a mirror has: a part of a day's leaves, in their order. */
export const treePart = z.object({
  day: dayData,
  /** The block up to which payments are in it, and the ledger's sequence, as they are attested. */
  block: z.number().int().nonnegative(),
  ledgerSequence: z.string().regex(/^[0-9]{1,19}$/),
  /** The number of leaves of the whole tree, padding included. */
  leaves: z.number().int().positive(),
  /** How many parts there are, all with as many leaves. */
  parts: z.number().int().positive(),
  /** Its place among the parts, counted from 0. */
  part: z.number().int().nonnegative(),
  items: z.array(nodeData),
})

export type TreePart = z.infer<typeof treePart>

/** All leaves of a day, `NODE_BYTES` each, in their order. */
export type TreeLeaves = Pick<TreePart, 'day' | 'block' | 'ledgerSequence'> & { nodes: Uint8Array }

/** The parts of a file that has one part, or one on each line. Null for a file that has something else. */
export function parseTreeParts(text: string): TreePart[] | null {
  try {
    const whole = treePart.safeParse(parseOrNull(text))
    if (whole.success) return [whole.data]
    const lines = text.split('\n').filter((line) => line.trim() !== '')
    return lines.length === 0 ? null : lines.map((line) => treePart.parse(JSON.parse(line)))
  } catch {
    return null
  }
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/**
 * Collects the parts of one day's tree, in any order; parts of other days are passed over. Kept as bytes, because a million leaves
 * as objects do not fit a phone.
 */
export function collectTree(day: string) {
  const found = new Map<number, Uint8Array>()
  let first: TreePart | null = null
  return {
    /** False for a part that cannot be of the same tree as those before. */
    add(part: TreePart): boolean {
      if (part.day !== day) return true
      first ??= part
      const isSame = part.leaves === first.leaves && part.parts === first.parts && part.part < part.parts
      if (!isSame || part.items.length !== part.leaves / part.parts) return false
      const nodes = new Uint8Array(part.items.length * NODE_BYTES)
      for (const [place, item] of part.items.entries()) writeNode(nodes, place * NODE_BYTES, toNode(item))
      found.set(part.part, nodes)
      return true
    },
    /** How many parts there are, and of how many; none are known of before the first. */
    progress: () => ({ have: found.size, parts: first?.parts ?? null }),
    /** All leaves; null while a part is missing. */
    leaves(): TreeLeaves | null {
      if (first === null || found.size !== first.parts) return null
      const nodes = new Uint8Array(first.leaves * NODE_BYTES)
      for (const [part, bytes] of found) nodes.set(bytes, part * bytes.length)
      return { day, block: first.block, ledgerSequence: first.ledgerSequence, nodes }
    },
  }
}

/** Hashes between two turns of other work: some milliseconds. */
const TURN = 1_000

/**
 * The proof of the day of a tree for the member that a saved proof of another day is of. Whether the root is the attested one has to be
 * compared besides: a tree that was altered has another.
 * @param leaves as many as a power of two
 * @param turn awaited between some thousand hashes, with how many of all are made
 * @returns the tree's root, and the proof; null when no leaf is that member's by that secret
 * @throws RangeError for leaves that are no tree: another number, or sums that do not fit
 */
export async function proofInTree(
  { format, version, chainId, gateway, leaf: { member }, secret }: SecretProofFile,
  { day, block, ledgerSequence, nodes }: TreeLeaves,
  turn: (made: number, all: number) => Promise<void> | void = () => undefined,
): Promise<{ root: SumNode; proof: SecretProofFile | null }> {
  const count = nodes.length / NODE_BYTES
  if (!Number.isInteger(Math.log2(count))) throw new RangeError('the number of leaves is not a power of two')
  const all = 2 * count - 1
  let made = 0
  const context = contextHash({ chainId, gateway, day })
  const salt = saltOf(fromHex(secret), context)
  let position: number | null = null
  for (let place = 0; place < count; place += 1) {
    const { hash, sums } = readNode(nodes, place * NODE_BYTES)
    if (toHex(leafNode(context, { member, owed: sums, salt }).hash) === toHex(hash)) position = place
    made += 1
    if (made % TURN === 0) await turn(made, all)
  }
  const siblings: SumNode[] = []
  let level = nodes
  for (let at = position ?? 0; level.length > NODE_BYTES; at = Math.floor(at / 2)) {
    siblings.push(readNode(level, (at % 2 === 0 ? at + 1 : at - 1) * NODE_BYTES))
    const above = new Uint8Array(level.length / 2)
    for (let offset = 0; offset < above.length; offset += NODE_BYTES) {
      const parent = parentNode(readNode(level, 2 * offset), readNode(level, 2 * offset + NODE_BYTES))
      writeNode(above, offset, parent)
      made += 1
      if (made % TURN === 0) await turn(made, all)
    }
    level = above
  }
  const root = readNode(level, 0)
  if (position === null) return { root, proof: null }
  const proof: SecretProofFile = {
    format,
    version,
    chainId,
    gateway,
    day,
    block,
    ledgerSequence,
    root: nodeText(root),
    leaf: {
      member,
      position,
      owed: fromSums(readNode(nodes, position * NODE_BYTES).sums),
      salt: toHex(salt),
    },
    path: siblings.map(nodeText),
    secret,
  }
  return { root, proof }
}
