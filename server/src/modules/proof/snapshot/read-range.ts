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
  /** What members' secrets are derived from. */
  master: Uint8Array
  /** Of the day's tree. */
  context: Uint8Array
}

/** Their leaves of `LEAF_BYTES` each, by member, and what else the snapshot needs of them. */
export type RangeLeaves = { leaves: Uint8Array<ArrayBuffer>; parts: readonly MemberParts[]; found: Found }

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
  const take: Parameters<typeof readOwed>[4] = ({ id, address }, owed, position) => {
    hashed.add(address, owed, memberSecret(key, id))
    collected.add(id, position)
  }
  const found = await readOwed(tx, listAddresses, given, { after, upTo }, take, page)
  return { leaves: hashed.leaves(), parts: collected.parts, found }
}
