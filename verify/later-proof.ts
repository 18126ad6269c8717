import type { SecretProof } from './proof-form.ts'
import { contextOf, leafHash, type Node, parentOf, saltOf } from './sum-tree.ts'
import type { Tree } from './tree-parts.ts'

/** Hashes between two messages. */
const STEP = 10_000

/**
 * The proof of a tree's day, from a saved one of any other day: the member's salt of that day follows from its secret, and the leaf that
 * hashes with it is the member's.
 * @throws where no leaf is, or the leaves are no tree
 */
export function laterProof(saved: SecretProof, tree: Tree, progress: (text: string) => void): SecretProof {
  const { leaves } = tree
  const all = 2 * leaves.length - 1
  let made = 0
  const countOne = () => {
    made += 1
    if (made % STEP === 0) progress(`hashes: ${made} of ${all}`)
  }
  const context = contextOf({ ...saved, day: tree.day })
  const salt = saltOf(context, saved.secret)
  const { member } = saved.leaf
  const position = leaves.findIndex(({ hash, sums }) => {
    countOne()
    return leafHash(context, { member, owed: sums, salt }) === hash
  })
  const leaf = leaves[position]
  if (leaf === undefined) throw new Error(`the tree of ${tree.day} has no leaf of ${member} by this secret`)
  if (!Number.isInteger(Math.log2(leaves.length))) throw new RangeError('the number of leaves is no power of two')
  const siblings: Node[] = []
  let level: readonly Node[] = leaves
  for (let at = position; level.length > 1; at = Math.floor(at / 2)) {
    const children = level
    siblings.push(children[at % 2 === 0 ? at + 1 : at - 1]!)
    level = Array.from({ length: children.length / 2 }, (_, nth) => {
      countOne()
      return parentOf(children[2 * nth]!, children[2 * nth + 1]!)
    })
  }
  const { format, version, chainId, gateway, secret } = saved
  return {
    format,
    version,
    chainId,
    gateway,
    day: tree.day,
    block: tree.block,
    ledgerSequence: tree.ledgerSequence,
    root: text(level[0]!),
    leaf: { member, position, owed: text(leaf).sums, salt },
    path: siblings.map(text),
    secret,
  }
}

const text = ({ hash, sums: [usdt, coin, ju] }: Node): SecretProof['root'] => ({
  hash,
  sums: [String(usdt), String(coin), String(ju)],
})
