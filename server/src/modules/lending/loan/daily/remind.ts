import { addDays, utcDay } from '@candela/protocol/calendar'
import { nextPayment } from '@candela/protocol/lending/repayment'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { sql } from 'kysely'
import type { Tx } from '../../../../db/open.ts'
import { notify } from '../../../notice/notify.ts'
import { loanOf } from '../record/loan-record.ts'
import { chargeStep } from '../record/steps.ts'
import { lockLoans, saveReminders } from '../record/store.ts'

const BATCH = 500
const DAYS_BEFORE = 7

/**
 * Reminds of what is due within seven days, once for each due date.
 * @returns false when nobody was left
 */
export async function remind(tx: Tx, day: string, now: Date): Promise<boolean> {
  const found = await tx
    .selectFrom('loan_with_debt')
    .select('id')
    .where('next_due_on', '>=', day)
    .where('next_due_on', '<=', addDays(day, DAYS_BEFORE))
    .where(sql<boolean>`reminded_for is distinct from next_due_on`)
    .orderBy('id')
    .limit(BATCH)
    .execute()
  if (found.length === 0) return false
  // Each as it is under its lock: it may have been paid or told of meanwhile.
  const locked = await lockLoans(
    tx,
    found.map(({ id }) => id),
  )
  const loans = locked.filter(({ row }) => row.next_due_on !== null && row.reminded_for !== row.next_due_on)
  const today = utcDay(now)
  const notices = loans.map((loan) => {
    const charged = chargeStep(loan, today, now).loan
    const { row } = loan
    const dueOn = row.next_due_on ?? row.due_on
    const amount = fromBaseUnits(nextPayment(loanOf(charged), today))
    return {
      kind: 'loanReminder' as const,
      params: { asset: 'USDT' as const, amount, loanNo: row.loan_no, dueOn },
      memberId: row.member_id,
      source: `loan:${row.loan_no}:reminder:${dueOn}`,
      at: now,
    }
  })
  await notify(tx, ...notices)
  await saveReminders(tx, loans)
  return true
}
