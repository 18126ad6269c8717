import { utcDay } from '@candela/protocol/calendar'
import { codes } from '@candela/protocol/codes/codes'
import type { Tx } from '../../../../db/open.ts'
import { AppError } from '../../../../kernel/errors.ts'
import { postNew } from '../../../../ledger/post.ts'
import { notify } from '../../../notice/notify.ts'
import { addLent } from '../../project/lend.ts'
import { appendStep, type Done } from './history.ts'
import { type LoanRecord, type LoanRow, settled } from './loan-record.ts'
import { chargeStep, type Change, join } from './steps.ts'
import { lockLoan, type LoanKey, saveLoans } from './store.ts'

/** A step with a loan that is charged up to today. */
export type Step = (charged: LoanRecord, today: string, tx: Tx) => Promise<Change> | Change

/**
 * Changes an open loan under its lock: charges it up to today, then does the step, then writes and posts everything.
 * @throws AppError 404 for no such loan, 4303 for one that is closed, and what the step and the ledger throw
 */
export async function changeLoan(tx: Tx, key: LoanKey, now: Date, step: Step): Promise<LoanRecord> {
  const before = await lockLoan(tx, key)
  if (before.row.closed_at !== null) throw new AppError(codes.loanState)
  const today = utcDay(now)
  const charged = chargeStep(before, today, now)
  const change = join(charged, await step(charged.loan, today, tx))
  return commitChange(tx, before, { ...change, loan: settled(change.loan, today) }, now)
}

/** Writes a change of a locked loan: first the rows, in the order of the locks, then the ledger. */
async function commitChange(
  tx: Tx,
  before: LoanRecord,
  { loan, postings, notices, done }: Change,
  now: Date,
): Promise<LoanRecord> {
  await saveChanges(tx, [{ before, loan, done }], now)
  await postNew(tx, postings)
  await notify(tx, ...notices)
  return loan
}

/** `done`: what was done to the debt now; absent where nothing was but charging, or where its history is written apart. */
type Changed = { before: LoanRecord; loan: LoanRecord; done?: Done | undefined }

/**
 * Writes the rows of locked loans and of their projects. Projects come in the order of their ids, so that all lock them in the same
 * order. The ledger is for the caller, all of it afterwards.
 */
export async function saveChanges(tx: Tx, changes: readonly Changed[], now: Date): Promise<void> {
  await saveLoans(tx, changes)
  for (const { loan, done } of changes) if (done !== undefined) await appendStep(tx, loan, done, now, utcDay(now))
  const byProject = Map.groupBy(changes, ({ before }) => before.row.project_id)
  const ordered = [...byProject].toSorted(([one], [other]) => ((one ?? 0n) < (other ?? 0n) ? -1 : 1))
  for (const [projectId, loans] of ordered) {
    if (projectId === null) continue
    const sum = (amountOf: (row: LoanRow) => bigint) =>
      loans.reduce((total, { before, loan }) => total + amountOf(loan.row) - amountOf(before.row), 0n)
    await addLent(tx, projectId, {
      principal: sum(({ principal }) => principal),
      interest: sum(({ interest_charged }) => interest_charged),
    })
  }
}
