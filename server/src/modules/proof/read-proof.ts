import { CHAIN_ID } from '@candela/protocol/chain/network'
import { fromSums, nodeText, type ProofFile } from '@candela/protocol/proof/proof-file'
import { contextHash, saltOf, toHex } from '@candela/protocol/proof/sum-tree'
import type { Database } from '../../db/open.ts'
import type { Tables } from '../../db/tables/index.ts'
import { must } from '../../kernel/assert.ts'
import { keyOf, memberSecret, platformSecret, readMasterKey, seededSalt, seedKey } from './snapshot/leaf-secrets.ts'
import { sumsOf } from './snapshot/take-snapshot.ts'
import { readPath, type StoredLeaf } from './tree/read-path.ts'

/** A member of whom a proof is read; its wallet in lower case. */
export type ProvedMember = { id: bigint; address: string }

/**
 * A member's proof in the tree of a snapshot, attested or not; null when that tree has no leaf of the member, who joined later or is owed
 * less than the step of every asset.
 * It needs nothing but these rows, so a copy of the database gives every proof after the service has ended.
 */
export async function readProof(
  db: Database,
  snapshot: Tables['proof_snapshot'],
  { id, address }: ProvedMember,
): Promise<ProofFile | null> {
  const own = await findLeaf(db, snapshot, id)
  if (own === null) return null
  return proofFileOf(snapshot, address, own)
}

/**
 * The proof of the platform's leaf, in which those members are who are owed less than the step of every asset; null for a snapshot in which
 * each has a leaf of its own. Its secret is for everybody, so that everybody finds it in any day's tree.
 */
export async function readPlatformProof(db: Database, snapshot: Tables['proof_snapshot']): Promise<ProofFile | null> {
  const { day, gateway, small_members } = snapshot
  if (small_members === null) return null
  const secret = platformSecret(seedKey(must(await readMasterKey(db), 'made with the first such snapshot')))
  const salt = saltOf(secret, contextOf(snapshot))
  const found = must(await readPath(db, day, Buffer.from(keyOf(salt))), `the tree of ${day} has the platform's leaf`)
  return proofFileOf(snapshot, gateway, { secret, salt, found })
}

type FoundLeaf = { secret: Uint8Array | null; salt: Uint8Array; found: StoredLeaf }

function proofFileOf(
  snapshot: Tables['proof_snapshot'],
  address: string,
  { secret, salt, found }: FoundLeaf,
): ProofFile {
  const proof = {
    format: 'candela.proof',
    chainId: CHAIN_ID,
    gateway: snapshot.gateway,
    day: snapshot.day,
    block: Number(snapshot.block_number),
    ledgerSequence: String(snapshot.sequence),
    root: { hash: snapshot.root, sums: fromSums(sumsOf(snapshot)) },
    leaf: { member: address, position: found.position, owed: fromSums(found.leaf.sums), salt: toHex(salt) },
    path: found.siblings.map(nodeText),
  } as const
  return secret === null ? { ...proof, version: 1 } : { ...proof, version: 2, secret: toHex(secret) }
}

/** A member's leaf with its path, its salt and what that follows from; null when that tree has none. */
export async function findLeaf(db: Database, snapshot: Tables['proof_snapshot'], memberId: bigint) {
  const { secret, salt } = await saltIn(db, snapshot, memberId)
  const found = await readPath(db, snapshot.day, Buffer.from(keyOf(salt)))
  return found === null ? null : { secret, salt, found }
}

/** Snapshots of before members had a secret each have a seed. */
async function saltIn(db: Database, snapshot: Tables['proof_snapshot'], memberId: bigint) {
  const { seed } = snapshot
  if (seed !== null) return { secret: null, salt: seededSalt(seedKey(seed), memberId) }
  const master = must(await readMasterKey(db), 'made with the first such snapshot')
  const secret = memberSecret(seedKey(master), memberId)
  return { secret, salt: saltOf(secret, contextOf(snapshot)) }
}

const contextOf = ({ gateway, day }: Tables['proof_snapshot']): Uint8Array =>
  contextHash({ chainId: CHAIN_ID, gateway, day })
