import type { Notify } from '../../db/notify.ts'
import type { Tx } from '../../db/open.ts'
import { changeState, releaseHold, type WithdrawalRow } from './change-state.ts'
import { readEvidence } from './evidence.ts'

/** What an operator's word led to: nothing to decide, the same name twice, so many more to come, or decided. */
export type Approval = { result: 'unknown' | 'notInReview' | 'sameName' } | { result: 'approved'; missing: number }

/** Adds an operator's name; the last one that is needed lets the withdrawal go into the queue. */
export async function approveWithdrawal(tx: Tx, withdrawalNo: string, operator: string, now: Date): Promise<Approval> {
  const row = await lockByNumber(tx, withdrawalNo)
  if (row === undefined) return { result: 'unknown' }
  if (row.state !== 'review') return { result: 'notInReview' }
  const added = await tx
    .insertInto('withdrawal_approval')
    .values({ withdrawal_id: row.id, round: row.review_round, operator, at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('operator')
    .execute()
  if (added.length === 0) return { result: 'sameName' }
  const names = await tx
    .selectFrom('withdrawal_approval')
    // Names that people would take for one are one.
    .select((eb) =>
      eb.fn
        .count<bigint>(eb.fn('lower', ['operator']))
        .distinct()
        .as('count'),
    )
    .where('withdrawal_id', '=', row.id)
    .where('round', '=', row.review_round)
    .executeTakeFirstOrThrow()
  const missing = Math.max(0, row.approvals - Number(names.count))
  if (missing === 0) {
    // What is known by now was there to be looked at: only what comes later asks for another review.
    const seen = await readEvidence(tx, { memberId: row.member_id, address: row.to_address }, now)
    await changeState(tx, row, 'queued', { seen_orphaned: seen.orphaned, seen_reverted: seen.reverted }, now)
  }
  return { result: 'approved', missing }
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
