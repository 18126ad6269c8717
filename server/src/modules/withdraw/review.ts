import type { Notify } from '../../db/notify.ts'
import type { Tx } from '../../db/open.ts'
import { changeState, releaseHold, type WithdrawalRow } from './change-state.ts'

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
    .values(names.map((operator) => ({ withdrawal_id: row.id, operator, at: now })))
    // Somebody who approved it before two had to sign the same command.
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await changeState(tx, row, 'queued', {}, now)
  return 'approved'
}

/**
 * Refuses a withdrawal that waits for review or in the queue, and gives the money back. False once it was signed: then
 * only the chain can end it. Undefined when there is none.
 */
export async function rejectWithdrawal(
  tx: Tx,
  notify: Notify,
  withdrawalNo: string,
  note: string,
  now: Date,
): Promise<boolean | undefined> {
  const row = await lockByNumber(tx, withdrawalNo)
  if (row === undefined) return undefined
  if (row.state !== 'review' && row.state !== 'queued') return false
  await releaseHold(tx, notify, row, 'rejected', { reason: 'operator', note }, now)
  return true
}

const lockByNumber = (tx: Tx, withdrawalNo: string): Promise<WithdrawalRow | undefined> =>
  tx.selectFrom('withdrawal').selectAll().where('withdrawal_no', '=', withdrawalNo).forUpdate().executeTakeFirst()
