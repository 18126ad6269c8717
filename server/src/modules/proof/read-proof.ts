import { CHAIN_ID } from '@candela/protocol/chain/network'
import { fromSums, type ProofFile } from '@candela/protocol/proof/proof-file'
import { type SumNode, toHex } from '@candela/protocol/proof/sum-tree'
import type { Database } from '../../db/open.ts'
import type { Tables } from '../../db/tables/index.ts'
import { keyOf, memberSalt, seedKey } from './snapshot/leaf-secrets.ts'
import { sumsOf } from './snapshot/take-snapshot.ts'
import { readPath } from './tree/read-path.ts'

/** A member of whom a proof is read; its wallet in lower case. */
export type ProvedMember = { id: bigint; address: string }

/**
 * A member's proof in the tree of a snapshot, attested or not; null when that tree has no leaf of the member, who joined later.
 * It needs nothing but these rows, so a copy of the database gives every proof after the service has ended.
 */
export async function readProof(
  db: Database,
  snapshot: Tables['proof_snapshot'],
  { id, address }: ProvedMember,
): Promise<ProofFile | null> {
  const own = await findLeaf(db, snapshot, id)
  if (own === null) return null
  const { salt, found } = own
  return {
    format: 'candela.proof',
    version: 1,
    chainId: CHAIN_ID,
    gateway: snapshot.gateway,
    day: snapshot.day,
    block: Number(snapshot.block_number),
    ledgerSequence: String(snapshot.sequence),
    root: { hash: snapshot.root, sums: fromSums(sumsOf(snapshot)) },
    leaf: { member: address, position: found.position, owed: fromSums(found.leaf.sums), salt: toHex(salt) },
    path: found.siblings.map(describeNode),
  }
}

/** A member's leaf with its path, and its salt; null when the member joined after the snapshot. */
export async function findLeaf(db: Database, { day, seed }: Tables['proof_snapshot'], memberId: bigint) {
  const salt = memberSalt(seedKey(seed), memberId)
  const found = await readPath(db, day, keyOf(salt))
  return found === null ? null : { salt, found }
}

export const describeNode = ({ hash, sums }: SumNode) => ({ hash: toHex(hash), sums: fromSums(sums) })
