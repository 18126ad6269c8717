import { codes } from '@candela/protocol/codes/codes'
import type { Database } from '../../db/open.ts'
import { AppError } from '../../kernel/errors.ts'
import { readAttested } from './read-attested.ts'
import { keyOf, memberSalt, seedKey } from './snapshot/leaf-secrets.ts'
import { readPath } from './tree/read-path.ts'

/**
 * A member's leaf in the tree of an attested day, by default the last, with its salt and path.
 * @throws AppError notFound when nothing is attested for the day, or its tree has no leaf of the member
 */
export async function readOwnLeaf(db: Database, memberId: bigint, day?: string) {
  const row = await readAttested(db, day)
  if (row === undefined) throw new AppError(codes.notFound)
  const salt = memberSalt(seedKey(row.seed), memberId)
  // Who joined after the snapshot is in none of its leaves.
  const found = await readPath(db, row.day, keyOf(salt))
  if (found === null) throw new AppError(codes.notFound)
  return { row, salt, found }
}
