import { codes } from '@candela/protocol/codes/codes'
import { nextPayment } from '@candela/protocol/lending/repayment'
import { fromBaseUnits } from '@candela/protocol/money/money'
import type { Notice } from '../../../notice/notify.ts'
import { transaction } from '../../../../db/open.ts'
import { isAppError } from '../../../../kernel/errors.ts'
import { changeLoan } from '../record/change-loan.ts'
import { loanOf, type LoanRecord, nextDueOf } from '../record/loan-record.ts'
import type { DailyDeps } from './deps.ts'

const BATCH = 500

/**
 * Charges the loans that have a late amount, and those that an earlier day left out, one by one, and tells of what is late
 * since this day. One that fails does not stop the others.
 */
export async function chargeLate(deps: DailyDeps, day: string, now: Date): Promise<unknown[]> {
  const failures: unknown[] = []
  for (let after = 0n; ;) {
    const loans = await deps.db
      .selectFrom('loan_debt')
      .select('loan_id as id')
      .where('next_due_on', 'is not', null)
      .where('loan_id', '>', after)
      .where((where) => where.or([where('next_due_on', '<', day), where('interest_through', '<', day)]))
      .orderBy('loan_id')
      .limit(BATCH)
      .execute()
    for (const { id } of loans) {
      try {
        await transaction(deps.db, (tx) =>
          changeLoan(tx, { id }, now, (loan, today) => ({
            loan,
            postings: [],
            notices: overdueNotice(loan, today, now),
          })),
        )
      } catch (error) {
        // Repaid since it was looked for.
        if (!isAppError(error, codes.loanState)) failures.push(error)
      }
    }
    const last = loans.at(-1)
    if (last === undefined) return failures
    after = last.id
  }
}

function overdueNotice(loan: LoanRecord, today: string, now: Date): Notice[] {
  const next = nextDueOf(loan)
  if (next === undefined || next.dueOn >= today) return []
  const { loan_no, member_id } = loan.row
  const amount = fromBaseUnits(nextPayment(loanOf(loan), today))
  return [
    {
      kind: 'loanOverdue',
      params: { asset: 'USDT', amount, loanNo: loan_no, dueOn: next.dueOn },
      memberId: member_id,
      source: `loan:${loan_no}:overdue:${next.dueOn}`,
      at: now,
    },
  ]
}
