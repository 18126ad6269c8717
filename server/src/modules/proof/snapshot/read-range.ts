import { hasOwnLeaf } from '@candela/protocol/proof/owed'
import { addSums, noSums, type Sums } from '@candela/protocol/proof/sum-tree'
import type { Tx } from '../../../db/open.ts'
import { hashLeaves } from './hash-leaves.ts'
import { memberSecret, seedKey } from './leaf-secrets.ts'
import { type Found, type Given, type ListAddresses, readOwed } from './read-members.ts'
import { collectParts, type MemberParts } from './store-parts.ts'

/** Members whose ids are after one and up to another, and by what their leaves are made. Whole as it crosses to a thread. */
export type RangeTask = {
  after: bigint
  upTo: bigint
  given: Given
  /** The key that members' secrets are derived from. */
  master: Uint8Array
  /** The context of the day's tree. */
  context: Uint8Array
}

/** The amounts owed to members who are owed too little for a leaf each, and how many are owed any of it. */
export type Small = { sums: Sums; members: number }

export const nothingSmall: Small = { sums: noSums, members: 0 }

export const addSmall = (one: Small, other: Small): Small => ({
  sums: addSums(one.sums, other.sums),
  members: one.members + other.members,
})

/** Their leaves of `LEAF_BYTES` each, by member, and what else the snapshot needs of them. */
export type RangeLeaves = {
  leaves: Uint8Array<ArrayBuffer>
  small: Small
  parts: readonly MemberParts[]
  found: Found
}

/** @param page members at a time, by default few, for a thread that answers calls */
export async function readRange(
  tx: Tx,
  listAddresses: ListAddresses,
  { after, upTo, given, master, context }: RangeTask,
  page?: number,
): Promise<RangeLeaves> {
  const hashed = hashLeaves(context)
  const collected = collectParts()
  const key = seedKey(master)
  let small = nothingSmall
  const take: Parameters<typeof readOwed>[4] = ({ id, address }, owed, position) => {
    if (hasOwnLeaf(owed)) hashed.add(address, owed, memberSecret(key, id))
    else if (owed.some((amount) => amount > 0n)) small = addSmall(small, { sums: owed, members: 1 })
    collected.add(id, position)
  }
  const found = await readOwed(tx, listAddresses, given, { after, upTo }, take, page)
  return { leaves: hashed.leaves(), small, parts: collected.parts, found }
}
