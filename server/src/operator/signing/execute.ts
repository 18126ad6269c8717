import { sql } from 'kysely'
import { type Database, transaction, type Tx } from '../../db/open.ts'
import { OperatorError } from '../../kernel/errors.ts'
import type { Output } from '../print.ts'
import type { Input } from '../run.ts'
import { isSignedBy } from './operator-key.ts'
import { addFirstOperator, countOperators, lockOperator, readService } from './operators.ts'
import { endProposal, findOrPropose, type Proposal } from './proposals.ts'
import { canonicalJson, type SignedTerms, textOf } from './signed-terms.ts'

/** A signature that is older was not made for this run. */
export const FRESH_MS = 5 * 60_000
/** After this time a lost key's owner can be removed by the only other operator. */
export const ALONE_AFTER_MS = 48 * 3_600_000

/** One command line: what it is, with what, who signs it, and what it does. */
export type Operation = {
  /** Its own words, such as "plan close". */
  command: string
  input: Input
  /** As in the table of commands; where it depends on the database, the function that decides. */
  signers: 0 | 1 | 2 | ((tx: Tx) => Promise<1 | 2>)
  work: (tx: Tx, now: Date, operators: readonly string[]) => Promise<Output>
  /** The first operator of an installation, who signs with the key that this command registers. */
  first?: { name: string; key: string }
  /** Whether the only other operator may do it alone after a time in which anybody can end the proposal. */
  alone?: (tx: Tx) => Promise<boolean>
  /** The proposal that is signed by its id: refused when that one is over. */
  proposal?: bigint
}

/** The number was used in the meantime, by this or another command of the same operator. */
export class NumberTaken extends OperatorError {}

/** Does a command that only reads, all at one instant of the database, and writes it down. */
export async function executeRead(db: Database, operation: Operation, now: Date): Promise<Output> {
  const read = async (tx: Tx) => {
    const output = await operation.work(tx, now, [])
    const { command, input } = operation
    const row = { operator: null, command, input: canonicalJson(input), at: now, outcome: 'read' as const }
    await tx.insertInto('operator_audit').values(row).execute()
    return output
  }
  return transaction(db, read, { isolation: 'repeatable read' })
}

/** Tries a command and takes it back; writes down that it was read. @returns what it would say, and how many sign it */
export async function executeTrial(db: Database, operation: Operation, now: Date): Promise<Output> {
  return transaction(db, async (tx) => {
    await sql`savepoint before_trial`.execute(tx)
    const signers = await signersOf(tx, operation)
    const output = await operation.work(tx, now, signers === 2 ? ['you', 'somebody else'] : ['you'])
    await sql`rollback to savepoint before_trial`.execute(tx)
    const { command } = operation
    const row = { operator: null, command, input: canonicalJson(operation.input), at: now, outcome: 'read' as const }
    await tx.insertInto('operator_audit').values(row).execute()
    return signers === 0 ? output : { dryRun: 'nothing was done', operatorsNeeded: signers, result: output }
  })
}

const signersOf = async (tx: Tx, { signers }: Operation): Promise<0 | 1 | 2> =>
  typeof signers === 'function' ? signers(tx) : signers

/**
 * Does what an operator signed, or keeps it until a second operator has signed the same; writes down who, with the
 * signature: all of it or nothing.
 * @throws NumberTaken when this signature, or another one of the same number, was used
 * @throws OperatorError when the signature is not for exactly this, or the work cannot be done
 */
export async function execute(db: Database, signed: SignedTerms, operation: Operation, now: Date): Promise<Output> {
  return transaction(db, async (tx) => {
    if (operation.first !== undefined) await addFirstOperator(tx, operation.first, now)
    const key = await takeNumber(tx, signed, operation, now)
    const { terms, signature } = signed
    const done = await decide(tx, terms.operator, operation, now)
    const { service, operator, number, command, at } = terms
    const input = canonicalJson(operation.input)
    const { outcome, proposal } = done
    await tx
      .insertInto('operator_audit')
      .values({ operator, command, input, at, number, service, key, signature, outcome, proposal })
      .execute()
    return done.output
  })
}

/** Checks the signature over this command, and uses its number up. @returns the key that signed */
async function takeNumber(tx: Tx, { terms, signature }: SignedTerms, operation: Operation, now: Date): Promise<string> {
  const operator = await lockOperator(tx, terms.operator)
  if (operator === undefined) throw new OperatorError(`there is no operator ${terms.operator}`)
  if (operator.removed_at !== null) throw new OperatorError(`${terms.operator} is not an operator any more`)
  if (Math.abs(now.getTime() - terms.at.getTime()) > FRESH_MS) {
    throw new OperatorError(`this was signed at ${terms.at.toISOString()}: sign it again`)
  }
  // From what is about to be done, not from what the terms say of themselves.
  const text = textOf({ ...terms, service: await readService(tx), command: operation.command, input: operation.input })
  if (!isSignedBy(operator.key, text, signature)) {
    throw new OperatorError(`this is not signed by ${terms.operator} for exactly this command here`)
  }
  if (terms.number !== operator.signed + 1n) {
    throw new NumberTaken(`command ${terms.number} of ${terms.operator} was taken: a signature is used once`)
  }
  await tx.updateTable('operator').set({ signed: terms.number }).where('name', '=', operator.name).execute()
  return operator.key
}

type Done = { output: Output; outcome: 'proposed' | 'done'; proposal: bigint | null }

async function decide(tx: Tx, operator: string, operation: Operation, now: Date): Promise<Done> {
  if ((await signersOf(tx, operation)) !== 2) {
    if (operation.proposal !== undefined) throw new OperatorError('this needs nobody else any more: give it yourself')
    return { output: await operation.work(tx, now, [operator]), outcome: 'done', proposal: null }
  }
  if ((await countOperators(tx)) < 2) {
    throw new OperatorError(
      `"${operation.command}" needs two operators, and ${operator} is the only one: candela operator add`,
    )
  }
  const proposal = await findOrPropose(tx, operation, operator, now)
  if (operation.proposal !== undefined && operation.proposal !== proposal.id) {
    throw new OperatorError(`proposal ${operation.proposal} is over`)
  }
  if (proposal.isNew)
    return { output: await propose(tx, proposal, operation, now), outcome: 'proposed', proposal: proposal.id }
  const signedBy = await bothOf(tx, proposal, operator, operation, now)
  const output = await operation.work(tx, now, signedBy)
  await endProposal(tx, proposal.id, 'done', now)
  return { output, outcome: 'done', proposal: proposal.id }
}

/** Tries the work and takes it back, so that what cannot be done is refused now and not when the second operator signs. */
async function propose(
  tx: Tx,
  { id, proposedBy, expiresAt }: Proposal,
  operation: Operation,
  now: Date,
): Promise<Output> {
  await sql`savepoint before_trial`.execute(tx)
  await operation.work(tx, now, [proposedBy, 'somebody else'])
  await sql`rollback to savepoint before_trial`.execute(tx)
  return {
    proposal: id,
    state: 'waits for another operator, who signs it by its number or gives the same command',
    until: expiresAt,
  }
}

async function bothOf(
  tx: Tx,
  proposal: Proposal,
  operator: string,
  operation: Operation,
  now: Date,
): Promise<string[]> {
  const { id, proposedBy, proposedAt, expiresAt } = proposal
  if (proposedBy !== operator) return [proposedBy, operator]
  const waited = now.getTime() - proposedAt.getTime() >= ALONE_AFTER_MS
  if (waited && (await operation.alone?.(tx)) === true) return [operator]
  throw new OperatorError(
    `${operator} has signed this already (proposal ${id}): another operator gives the same command before ${expiresAt.toISOString()}`,
  )
}
