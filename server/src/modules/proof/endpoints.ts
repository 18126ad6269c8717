import { codes } from '@candela/protocol/codes/codes'
import { fromBaseUnits, mulDiv } from '@candela/protocol/money/money'
import { nodeText, type ProofFile } from '@candela/protocol/proof/proof-file'
import { proofAssets } from '@candela/protocol/proof/sum-tree'
import type { SavedProof } from '@candela/protocol/proof/owed-parts'
import { WHOLE_UNIT } from '@candela/protocol/units'
import type { Data } from '@candela/protocol/endpoints'
import type { Database } from '../../db/open.ts'
import { must } from '../../kernel/assert.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Handlers } from '../../kernel/handler.ts'
import { readAddress } from '../member/read-address.ts'
import { getOwed } from './get-owed.ts'
import { readAttested } from './read-attested.ts'
import { readPlatformProof, readProof } from './read-proof.ts'
import { sumsOf } from './snapshot/take-snapshot.ts'
import { PIECE } from './tree/hash-pieces.ts'
import { readLeaves } from './tree/read-path.ts'

type Keys =
  | 'GET solvency/latest'
  | 'GET solvency/owed'
  | 'GET solvency/platform'
  | 'GET solvency/proof'
  | 'GET solvency/tree'

export const proofHandlers = ({ db }: { db: Database }): Handlers<Keys> => ({
  'GET solvency/latest': async () => ({ attestation: await describeLatest(db) }),
  'GET solvency/owed': ({ day }, { memberId }) => getOwed(db, memberId, day),
  'GET solvency/platform': ({ day }) => getPlatformLeaf(db, day),
  'GET solvency/proof': async ({ day }, { memberId }) => getProof(db, memberId, day),
  'GET solvency/tree': ({ day, part }) => getTree(db, day, part),
})

async function describeLatest(db: Database): Promise<Data<'GET solvency/latest'>['attestation']> {
  const row = await readAttested(db)
  if (row === undefined) return null
  const held = { USDT: row.held_usdt, HASH: row.held_hash, JU: row.held_ju }
  const sums = sumsOf(row)
  return {
    day: row.day,
    gateway: row.gateway,
    block: Number(row.block_number),
    ledgerSequence: String(row.sequence),
    root: row.root,
    leaves: 2 ** row.depth,
    attestedAt: must(row.attested_at, 'attested').toISOString(),
    txHash: row.hash,
    assets: proofAssets.map((asset, index) => {
      const owed = must(sums[index], 'one sum an asset')
      const ratio = owed === 0n ? null : fromBaseUnits(mulDiv(held[asset], WHOLE_UNIT, owed))
      return { asset, owed: fromBaseUnits(owed), held: fromBaseUnits(held[asset]), ratio }
    }),
  }
}

/**
 * Reads what a member saves of an attested day, by default the last: the proof, with what its leaf was computed from.
 * @throws AppError notFound when nothing is attested for the day, or its tree has no leaf of the member
 */
export async function readSavedProof(db: Database, memberId: bigint, day?: string): Promise<SavedProof> {
  const proof = await getProof(db, memberId, day)
  return { ...proof, parts: await getOwed(db, memberId, proof.day) }
}

/** @throws AppError notFound when nothing is attested for the day, or its tree has no leaf of the member */
async function getProof(db: Database, memberId: bigint, day?: string): Promise<ProofFile> {
  const row = await readAttested(db, day)
  if (row === undefined) throw new AppError(codes.notFound)
  const proof = await readProof(db, row, { id: memberId, address: await readAddress(db, memberId) })
  // A member who joined after the snapshot is in none of its leaves, and one who is owed too little is in that of the platform.
  if (proof === null) throw new AppError(codes.notFound)
  return proof
}

/** @throws AppError notFound when nothing is attested for the day, or every member has a leaf of its own in its tree */
async function getPlatformLeaf(db: Database, day?: string): Promise<Data<'GET solvency/platform'>> {
  const row = await readAttested(db, day)
  const proof = row === undefined ? null : await readPlatformProof(db, row)
  if (row === undefined || proof === null) throw new AppError(codes.notFound)
  return { members: Number(row.small_members), proof }
}

async function getTree(db: Database, day: string, part: number): Promise<Data<'GET solvency/tree'>> {
  const row = await readAttested(db, day)
  if (row === undefined) throw new AppError(codes.notFound)
  const leaves = 2 ** row.depth
  const parts = Math.ceil(leaves / PIECE)
  if (part >= parts) throw new AppError(codes.notFound)
  const items = (await readLeaves(db, row.day, part)).map(nodeText)
  const { day: of, block_number: block, sequence } = row
  return { day: of, block: Number(block), ledgerSequence: String(sequence), leaves, parts, part, items }
}
