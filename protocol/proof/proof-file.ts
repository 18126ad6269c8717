import { z } from 'zod'
import { addressData, dayData, hashData } from '../fields.ts'
import {
  contextHash,
  fromHex,
  type Leaf,
  leafNode,
  MAX_DEPTH,
  type Path,
  rootOf,
  saltOf,
  sameSums,
  SUM_LIMIT,
  type SumNode,
  type Sums,
  toHex,
} from './sum-tree.ts'

/**
 * A member's proof as JSON: the answer of `solvency/proof`, and the file that a member saves. It has everything that the
 * contract's `claim` needs. Amounts are base units as decimal texts, because they are hashed as they are.
 */

/** Base units as they are hashed: below 2^128. */
export const sumData = z
  .string()
  .regex(/^(?:0|[1-9][0-9]{0,38})$/, { abort: true })
  .refine((text) => BigInt(text) < SUM_LIMIT)

/** Base units of USDT, HASH and JU. */
export const sumsData = z.tuple([sumData, sumData, sumData])

/** A hash with the sums below it. */
export const nodeData = z.object({ hash: hashData, sums: sumsData })

const fields = z.object({
  format: z.literal('candela.proof'),
  chainId: z.number().int().positive(),
  gateway: addressData,
  day: dayData,
  /** The block up to which payments are in it, and the ledger's sequence. */
  block: z.number().int().nonnegative(),
  ledgerSequence: z.string().regex(/^[0-9]{1,19}$/),
  root: nodeData,
  leaf: z.object({
    member: addressData,
    position: z.number().int().nonnegative(),
    owed: sumsData,
    salt: hashData,
  }),
  path: z.array(nodeData).max(MAX_DEPTH),
})

/** A proof of a day from before members had a secret: its salt is good for that day alone. */
export const firstProofFile = fields.extend({ version: z.literal(1) })

/** With the member's secret, from which the salt of each day follows: the leaf of any other day is found by it. */
export const secretProofFile = fields.extend({ version: z.literal(2), secret: hashData })

export const proofFile = z.discriminatedUnion('version', [firstProofFile, secretProofFile])

export type ProofFile = z.infer<typeof proofFile>
export type SecretProofFile = z.infer<typeof secretProofFile>

/** As the file that people keep. */
export const proofFileName = ({ day, leaf }: Pick<ProofFile, 'day' | 'leaf'>): string =>
  `candela-proof-${day}-${leaf.member.slice(2, 8)}.json`

/** The fault of a proof: it cannot be of any tree, leads to another hash or other sums, or has another salt than its secret gives. */
export type ProofProblem = 'impossible' | 'hash' | 'sums' | 'salt'

/** The proof's leaf and path, as they are hashed. */
export const leafOf = ({ leaf }: ProofFile): Leaf => ({
  member: leaf.member,
  owed: toSums(leaf.owed),
  salt: fromHex(leaf.salt),
})

export const pathOfFile = ({ leaf, path }: ProofFile): Path => ({
  position: leaf.position,
  siblings: path.map(toNode),
})

export const toNode = ({ hash, sums }: z.infer<typeof nodeData>): SumNode => ({
  hash: fromHex(hash),
  sums: toSums(sums),
})

/** A node as JSON has it. */
export const nodeText = ({ hash, sums }: SumNode) => ({ hash: toHex(hash), sums: fromSums(sums) })

export const toSums = ([usdt, hash, ju]: z.infer<typeof sumsData>): Sums => [BigInt(usdt), BigInt(hash), BigInt(ju)]

export const fromSums = ([usdt, hash, ju]: Sums): [string, string, string] => [`${usdt}`, `${hash}`, `${ju}`]

/**
 * Whether the leaf's path leads to the root that the proof states, and its salt is that of its secret; null when both hold. Whether
 * that root is the attested one, and the leaf what the member is owed, has to be compared besides.
 */
export function checkPath(proof: ProofFile): ProofProblem | null {
  const stated = toNode(proof.root)
  const context = contextHash(proof)
  if (proof.version === 2 && toHex(saltOf(fromHex(proof.secret), context)) !== proof.leaf.salt) return 'salt'
  try {
    const found = rootOf(leafNode(context, leafOf(proof)), pathOfFile(proof))
    if (toHex(found.hash) !== proof.root.hash) return 'hash'
    return sameSums(found.sums, stated.sums) ? null : 'sums'
  } catch (error) {
    if (error instanceof RangeError) return 'impossible'
    throw error
  }
}
