// oxlint-disable-next-line import/no-unassigned-import -- it runs, and exports nothing
import '../lib/plain-schemas.ts'
import { assetCodes } from '@candela/protocol/money/assets'
import { hasOwnLeaf } from '@candela/protocol/proof/owed'
import { owedByParts, type OwedParts } from '@candela/protocol/proof/owed-parts'
import { checkPath, type ProofFile, toSums } from '@candela/protocol/proof/proof-file'
import { sameSums } from '@candela/protocol/proof/sum-tree'
import type { AttestedDay, Held } from '../wallet/attestation.ts'

/** The checks of a proof, one after the other. */
export type Step = 'contract' | 'path' | 'root' | 'sums' | 'held' | 'own' | 'owed' | 'statement'
/** `unknown`: nobody can say, such as when the chain was not asked. */
export type StepResult = 'good' | 'bad' | 'unknown'

/** Hashes the path. */
export const pathResult = (proof: ProofFile): StepResult => (checkPath(proof) === null ? 'good' : 'bad')

/** The root that the path leads to is the attested one, of the block and the sequence that the proof states. */
export const rootResult = (proof: ProofFile, attested: AttestedDay | null): StepResult =>
  attested !== null &&
  attested.root === proof.root.hash &&
  attested.leaves === 2n ** BigInt(proof.path.length) &&
  attested.block === BigInt(proof.block) &&
  attested.ledgerSequence === BigInt(proof.ledgerSequence)
    ? 'good'
    : 'bad'

/** Checks that what is owed to all together is what was attested. */
export const sumsResult = (proof: ProofFile, attested: AttestedDay | null): StepResult =>
  attested !== null && sameSums(toSums(proof.root.sums), attested.sums as [bigint, bigint, bigint]) ? 'good' : 'bad'

/** The contract held no less than was owed to all. What it holds now may be less without a lie: it has paid since. */
export function heldResult(proof: ProofFile, { amounts, isNow }: Held): StepResult {
  if (toSums(proof.root.sums).every((owed, nth) => (amounts[nth] ?? 0n) >= owed)) return 'good'
  return isNow ? 'unknown' : 'bad'
}

const isOf = (proof: ProofFile, parts: OwedParts): boolean =>
  parts.day === proof.day && BigInt(parts.ledgerSequence) === BigInt(proof.ledgerSequence)

/** The leaf has what follows from what the member had at that sequence. @param parts null when the service has none */
export const owedResult = (proof: ProofFile, parts: OwedParts | null): StepResult =>
  parts !== null && isOf(proof, parts) && sameSums(owedByParts(parts), toSums(proof.leaf.owed)) ? 'good' : 'bad'

/** The leaf is the platform's, in which those are who are owed less than the step of every asset. */
export const isPlatformLeaf = ({ leaf, gateway }: ProofFile): boolean => leaf.member === gateway

/** Checks that what follows from what the member had at that sequence is too little for a leaf of its own. */
export const smallResult = (proof: ProofFile, parts: OwedParts | null): StepResult =>
  parts !== null && isOf(proof, parts) && !hasOwnLeaf(owedByParts(parts)) ? 'good' : 'bad'

/** An account of a member: what it can spend of an asset, or what is set aside. */
export const statementAccounts = assetCodes.flatMap((asset) =>
  (['available', 'held'] as const).map((account) => ({ asset, account })),
)

/** A balance of the member's statement after its last line up to the sequence, in base units; zero without a line. */
export type StatementBalance = (typeof statementAccounts)[number] & { balance: bigint }

/** The balances that the leaf was computed from are those of the member's own statement at that sequence. */
export const statementResult = (parts: OwedParts, balances: readonly StatementBalance[]): StepResult =>
  balances.every(({ asset, account, balance }) => BigInt(parts[account][asset]) === balance) ? 'good' : 'bad'
