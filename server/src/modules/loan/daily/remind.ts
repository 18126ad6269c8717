import { addDays, utcDay } from '@candela/protocol/calendar'
import { nextPayment } from '@candela/protocol/credit/repayment'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { sql } from 'kysely'
import type { Tx } from '../../../db/open.ts'
import { loanOf } from '../record/loan-record.ts'
import { chargeStep } from '../record/steps.ts'
import { readDues } from '../record/store.ts'
import type { DailyDeps } from './deps.ts'

const BATCH = 500
const DAYS_BEFORE = 7

/**
 * Reminds of what is due within seven days, once for each due date.
 * @returns false when nobody was left
 */
export async function remind(tx: Tx, { notify }: Pick<DailyDeps, 'notify'>, day: string, now: Date): Promise<boolean> {
  const rows = await tx
    .selectFrom('loan')
    .selectAll()
    .where('closed_at', 'is', null)
    .where('next_due_on', '>=', day)
    .where('next_due_on', '<=', addDays(day, DAYS_BEFORE))
    .where(sql<boolean>`reminded_for is distinct from next_due_on`)
    .orderBy('id')
    .limit(BATCH)
    .forNoKeyUpdate()
    .execute()
  if (rows.length === 0) return false
  const ids = rows.map(({ id }) => id)
  const dues = await readDues(tx, ids)
  const today = utcDay(now)
  const notices = rows.map((row) => {
    const charged = chargeStep({ row, dues: dues.get(row.id) ?? [] }, today, now).loan
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
  await tx
    .updateTable('loan')
    .set((row) => ({ reminded_for: row.ref('next_due_on') }))
    .where('id', 'in', ids)
    .execute()
  return true
}
