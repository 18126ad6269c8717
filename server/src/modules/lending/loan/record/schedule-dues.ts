import type { Due } from '@candela/protocol/lending/loan'
import { type Installment, scheduleOf } from '@candela/protocol/lending/schedule'
import { debtOf, type LoanRecord } from './loan-record.ts'

/** The input that a schedule of a loan is computed from. */
export const scheduleInputOf = ({ row }: LoanRecord, count: number, today: string) => ({
  principal: row.principal,
  interest: debtOf(row).interest,
  rate_ppm: BigInt(row.rate_ppm),
  from: today,
  interestThrough: row.interest_through,
  count,
  fee: row.installment_fee,
})

/** Turns a loan into installments. @throws RangeError for a loan without principal */
export function duesOf(loan: LoanRecord, count: number, today: string): LoanRecord {
  const dues = scheduleOf(scheduleInputOf(loan, count, today)).map((one) => dueOf(one, count))
  return { dues, row: { ...loan.row, due_on: dues.at(-1)?.dueOn ?? loan.row.due_on } }
}

/** The last one takes all that is left. */
const dueOf = ({ number, dueOn, payment, fee }: Installment, count: number): Due => ({
  number,
  dueOn,
  amount: number === count ? null : payment,
  paid: 0n,
  fee,
  feePaid: 0n,
  lateThrough: null,
})
