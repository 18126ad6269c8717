import { utcDay } from '@candela/protocol/calendar'
import { codes } from '@candela/protocol/codes/codes'
import type { Notify } from '../../../db/notify.ts'
import type { Tx } from '../../../db/open.ts'
import { AppError } from '../../../kernel/errors.ts'
import { postNew } from '../../../ledger/post.ts'
import { type LoanRecord, settled } from './loan-record.ts'
import { chargeStep, type Change, join } from './steps.ts'
import { lockLoan, type LoanKey, saveLoan } from './store.ts'

/** What changing a loan needs of others. */
export type ChangeDeps = {
  notify: Notify
  /** What a project has lent changes by `principal`; its loans were charged `interest`. */
  addLent: (tx: Tx, projectId: bigint, change: { principal: bigint; interest: bigint }) => Promise<void>
}

/** What is done to a loan that is charged up to today. */
export type Step = (charged: LoanRecord, today: string, tx: Tx) => Promise<Change> | Change

/**
 * Changes an open loan under its lock: charges it up to today, then does the step, then writes and posts everything.
 * @throws AppError 404 for no such loan, 4303 for one that is closed, and what the step and the ledger throw
 */
export async function changeLoan(tx: Tx, deps: ChangeDeps, key: LoanKey, now: Date, step: Step): Promise<LoanRecord> {
  const before = await lockLoan(tx, key)
  if (before.row.closed_at !== null) throw new AppError(codes.loanState)
  const today = utcDay(now)
  const charged = chargeStep(before, today, now)
  const change = join(charged, await step(charged.loan, today, tx))
  return commitChange(tx, deps, before, { ...change, loan: settled(change.loan, today) })
}

/** Writes a change of a locked loan: first the rows, in the order of the locks, then the ledger. */
export async function commitChange(
  tx: Tx,
  deps: ChangeDeps,
  before: LoanRecord,
  { loan, postings, notices }: Change,
): Promise<LoanRecord> {
  await saveLoan(tx, before, loan)
  const { project_id } = before.row
  if (project_id !== null) {
    await deps.addLent(tx, project_id, {
      principal: loan.row.principal - before.row.principal,
      interest: loan.row.interest_charged - before.row.interest_charged,
    })
  }
  await postNew(tx, postings)
  await deps.notify(tx, ...notices)
  return loan
}
