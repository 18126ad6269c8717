import { checkPath, type ProofFile, toSums } from '@candela/protocol/proof/proof-file'
import { sameSums } from '@candela/protocol/proof/sum-tree'
import type { AttestedDay } from '../wallet/attestation.ts'

/** What is checked of a proof, one after the other. */
export type Step = 'path' | 'root' | 'sums' | 'held' | 'own' | 'statement'
/** `unknown`: nobody can say, such as when the chain was not asked. */
export type StepResult = 'good' | 'bad' | 'unknown'

/** Hashes the path. */
export const pathResult = (proof: ProofFile): StepResult => (checkPath(proof) === null ? 'good' : 'bad')

/** The root that the path leads to is the attested one. */
export const rootResult = (proof: ProofFile, attested: AttestedDay | null): StepResult =>
  attested !== null && attested.root === proof.root.hash && attested.leaves === 2n ** BigInt(proof.path.length)
    ? 'good'
    : 'bad'

/** What is owed to all together is what was attested. */
export const sumsResult = (proof: ProofFile, attested: AttestedDay | null): StepResult =>
  attested !== null && sameSums(toSums(proof.root.sums), attested.sums as [bigint, bigint, bigint]) ? 'good' : 'bad'

/** The contract holds no less than was owed to all. It may have been paid out since, so less of it is not yet a lie. */
export const heldResult = (proof: ProofFile, held: readonly bigint[]): StepResult =>
  toSums(proof.root.sums).every((owed, nth) => (held[nth] ?? 0n) >= owed) ? 'good' : 'bad'

export type Line = { asset: string; account: string; balance: bigint; at_s: number }

/** How long after its block a snapshot may have been taken, in seconds: what moved meanwhile cannot be told apart. */
const AROUND_S = 600

/**
 * Whether the leaf is what the member's own statement says at that time. Unknown when something moved around it, when
 * the lines do not reach so far back, or when the member has shares of the fund or loans, which a statement does not value.
 * @param lines newest first
 */
export function statementResult(
  proof: ProofFile,
  lines: readonly Line[],
  { block_s, hasMore, hasCredit }: { block_s: number; hasMore: boolean; hasCredit: boolean },
): { result: StepResult; balances: bigint[] } {
  const then = (asset: string, account: string) =>
    lines.find((line) => line.asset === asset && line.account === account && line.at_s <= block_s)?.balance ?? 0n
  const balances = ['USDT', 'HASH', 'JU'].map((asset) => then(asset, 'available') + then(asset, 'held'))
  const isEqual = toSums(proof.leaf.owed).every((owed, nth) => owed === balances[nth])
  if (isEqual) return { result: 'good', balances }
  const hasMoved = lines.some(({ at_s }) => at_s > block_s - AROUND_S && at_s < block_s + AROUND_S)
  return { result: hasMoved || hasMore || hasCredit ? 'unknown' : 'bad', balances }
}
