import { addDays, startOfDay, utcDay } from '@candela/protocol/calendar'
import { codes } from '@candela/protocol/codes/codes'
import { advance } from '@candela/protocol/lending/advance'
import { dayInterest } from '@candela/protocol/lending/interest'
import { totalOf } from '@candela/protocol/lending/loan'
import { nextPayment, payoffOf } from '@candela/protocol/lending/repayment'
import type { Data } from '@candela/protocol/endpoints'
import { fromBaseUnits } from '@candela/protocol/money/money'
import type { Database } from '../../../../db/open.ts'
import { AppError } from '../../../../kernel/errors.ts'
import { accountBalance } from '../../../../ledger/balances.ts'
import type { Caller } from '../deps.ts'
import { asOfToday } from '../orders/describe-loan.ts'
import { debtOf, loanOf } from '../record/loan-record.ts'
import { usdtOf } from '../record/postings.ts'
import { readLoan } from '../record/store.ts'

/**
 * Computes what ends the loan today, and what ends it on the day after. On chain the day is that of the payment's block, whenever it is
 * confirmed.
 * @throws AppError 404, 4303
 */
export async function getPayoff(
  db: Database,
  loanNo: string,
  { memberId, now }: Caller,
): Promise<Data<'GET lending/payoff'>> {
  const record = asOfToday(await readLoan(db, { loanNo, memberId }), now)
  const { row } = record
  if (row.closed_at !== null) throw new AppError(codes.loanState)
  const today = utcDay(now)
  const loan = loanOf(record)
  const debt = debtOf(row)
  const payoff = payoffOf(loan, today)
  const nextDay = addDays(today > row.interest_through ? today : row.interest_through, 1)
  return {
    loanNo,
    payoff: fromBaseUnits(payoff),
    next: fromBaseUnits(nextPayment(loan, today)),
    principal: fromBaseUnits(debt.principal),
    interest: fromBaseUnits(debt.interest),
    charges: fromBaseUnits(debt.charges),
    fees: fromBaseUnits(payoff - totalOf(debt)),
    perDay: fromBaseUnits(dayInterest(debt.principal, loan.terms.rate_ppm)),
    available: fromBaseUnits(await accountBalance(db, usdtOf(row))),
    payoffNextDay: fromBaseUnits(payoffOf(advance(loan, nextDay), nextDay)),
    expiresAt: startOfDay(nextDay).toISOString(),
  }
}
