import type { Database, Tx } from '../../db/open.ts'
import { changeState, releaseHold, type WithdrawalRow } from './change-state.ts'
import { readEvidence } from './evidence.ts'

/** How many operators have to approve it, or why nobody can. */
export async function readApprovals(tx: Tx, withdrawalNo: string): Promise<number | 'unknown' | 'notInReview'> {
  const row = await lockByNumber(tx, withdrawalNo)
  if (row === undefined) return 'unknown'
  return row.state === 'review' ? row.approvals : 'notInReview'
}

/** Lets a withdrawal that waits for review go into the queue, when as many operators as it needs say so. */
export async function approveWithdrawal(
  tx: Tx,
  withdrawalNo: string,
  operators: readonly string[],
  now: Date,
): Promise<'approved' | 'unknown' | 'notInReview' | 'tooFew'> {
  const row = await lockByNumber(tx, withdrawalNo)
  if (row === undefined) return 'unknown'
  if (row.state !== 'review') return 'notInReview'
  const names = [...new Set(operators)]
  if (names.length < row.approvals) return 'tooFew'
  await tx
    .insertInto('withdrawal_approval')
    .values(names.map((operator) => ({ withdrawal_id: row.id, round: row.review_round, operator, at: now })))
    // Somebody who approved it before two had to sign the same command.
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  // The reviewer could look at all that is known by now: only what comes later asks for another review.
  const seen = await readEvidence(tx, { memberId: row.member_id, address: row.to_address }, now)
  await changeState(tx, row, 'queued', { seen_orphaned: seen.orphaned, seen_reverted: seen.reverted }, now)
  return 'approved'
}

/**
 * Refuses a withdrawal that waits for review or in the queue, and gives the money back. False once it was signed: then
 * only the chain can end it. Undefined when there is none.
 */
export async function rejectWithdrawal(
  tx: Tx,
  withdrawalNo: string,
  note: string,
  now: Date,
): Promise<boolean | undefined> {
  const row = await lockByNumber(tx, withdrawalNo)
  if (row === undefined) return undefined
  if (row.state !== 'review' && row.state !== 'queued') return false
  await releaseHold(tx, row, 'rejected', { reason: 'operator', note }, now)
  return true
}

/**
 * Lists who approved when, of withdrawals whose last review needed more than one operator. Earlier reviews may have needed another
 * number.
 */
export const listLargeApprovals = (db: Database): Promise<{ withdrawal_no: string; operator: string; at: Date }[]> =>
  db
    .selectFrom('withdrawal_approval as a')
    .innerJoin('withdrawal as w', 'w.id', 'a.withdrawal_id')
    .select(['w.withdrawal_no', 'a.operator', 'a.at'])
    .whereRef('a.round', '=', 'w.review_round')
    .where('w.approvals', '>', 1)
    .execute()

const lockByNumber = (tx: Tx, withdrawalNo: string): Promise<WithdrawalRow | undefined> =>
  tx.selectFrom('withdrawal').selectAll().where('withdrawal_no', '=', withdrawalNo).forUpdate().executeTakeFirst()
