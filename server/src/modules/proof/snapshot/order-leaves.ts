import { NODE_BYTES, noSums, paddedCount } from '@candela/protocol/proof/sum-tree'
import { hashLeaves, LEAF_BYTES } from './hash-leaves.ts'
import { KEY_BYTES, paddingSecret, seedKey } from './leaf-secrets.ts'

const NOBODY = `0x${'0'.repeat(40)}`

/** Members' leaves of `LEAF_BYTES` each, in any order. */
export type OrderTask = {
  leaves: readonly Uint8Array<ArrayBuffer>[]
  context: Uint8Array
  /** Random, for the padding. */
  seed: Uint8Array
}

/** All leaves of a snapshot in their order, and what they are ordered by. */
export type OrderedLeaves = { nodes: Uint8Array<ArrayBuffer>; keys: Uint8Array<ArrayBuffer>; count: number }

/** Puts leaves into the order of their salts, with padding that cannot be told from a member who is owed nothing. */
export function orderLeaves({ leaves, context, seed }: OrderTask): OrderedLeaves {
  const members = leaves.reduce((sum, { length }) => sum + length / LEAF_BYTES, 0)
  const count = paddedCount(members)
  const padding = hashLeaves(context)
  const key = seedKey(seed)
  for (let nth = members; nth < count; nth += 1) padding.add(NOBODY, noSums, paddingSecret(key, nth))
  const all = Buffer.concat([...leaves, padding.leaves()])
  const nodes = new Uint8Array(count * NODE_BYTES)
  const keys = new Uint8Array(count * KEY_BYTES)
  for (const [place, nth] of inOrder(all).entries()) {
    const leaf = all.subarray(nth * LEAF_BYTES, (nth + 1) * LEAF_BYTES)
    keys.set(leaf.subarray(0, KEY_BYTES), place * KEY_BYTES)
    nodes.set(leaf.subarray(KEY_BYTES), place * NODE_BYTES)
  }
  return { nodes, keys, count }
}

/** Numbers the leaves in their order: which comes first, which second, and so on. */
function inOrder(all: Buffer): Uint32Array {
  // Numbers of a fixed size are sorted without a call for each comparison: the first 32 bits of a key, then whose they are.
  const first = new BigUint64Array(all.length / LEAF_BYTES)
  for (let nth = 0; nth < first.length; nth += 1) {
    first[nth] = (BigInt(all.readUInt32BE(nth * LEAF_BYTES)) << 32n) | BigInt(nth)
  }
  const order = Uint32Array.from(first.toSorted(), (each) => Number(each & 0xffff_ffffn))
  const keyOf = (place: number) => (order[place] ?? 0) * LEAF_BYTES
  const isAfter = (one: number, other: number) =>
    all.compare(all, keyOf(other), keyOf(other) + KEY_BYTES, keyOf(one), keyOf(one) + KEY_BYTES) > 0
  // Few have the same first 32 bits.
  for (let place = 1; place < order.length; place += 1) {
    for (let at = place; at > 0 && isAfter(at - 1, at); at -= 1) order.set([order[at] ?? 0, order[at - 1] ?? 0], at - 1)
  }
  return order
}
