import { addDays, utcDay } from '@candela/protocol/calendar'
import { codes } from '@candela/protocol/codes/codes'
import { dayInterest } from '@candela/protocol/lending/interest'
import type { Insertable } from 'kysely'
import { chargesOf } from '../../../../db/lending-settings.ts'
import type { Tx } from '../../../../db/open.ts'
import type { Settings } from '../../../../db/settings.ts'
import type { Tables } from '../../../../db/tables/index.ts'
import { AppError } from '../../../../kernel/errors.ts'
import type { Posting } from '../../../../ledger/post.ts'
import { postNew } from '../../../../ledger/post.ts'
import { addLent } from '../../project/lend.ts'
import { appendStep } from '../record/history.ts'
import { boundOf, type LoanRecord, type LoanRow, WATCH_DAYS } from '../record/loan-record.ts'
import { chargePostings } from '../record/postings.ts'
import { insertLoan } from '../record/store.ts'

/** The terms of a new loan, besides those of the settings. */
export type NewLoan = Pick<
  Insertable<Tables['loan']>,
  'loan_no' | 'member_id' | 'collateral_asset' | 'initial_ppm' | 'safety_ppm' | 'clearing_ppm'
> & {
  rate_ppm: number
  collateral: bigint
  lent: bigint
  days: number
} & (
    | { kind: 'project'; project_id: bigint }
    | { kind: 'lever'; project_id: null; margin: bigint; ratio_tenths: number; bought: bigint; buy_price: bigint }
  )

/**
 * Opens a loan: its first day is charged at once. What moves the money and the collateral is posted first.
 * @throws AppError what the ledger throws
 */
export async function openLoan(
  tx: Tx,
  { days, rate_ppm, project_id, ...loan }: NewLoan,
  settings: Settings,
  now: Date,
  moving: (row: LoanRow) => Posting[],
): Promise<LoanRecord> {
  const charges = chargesOf(settings)
  const opened_on = utcDay(now)
  const due_on = addDays(opened_on, days)
  const firstDay = addDays(opened_on, 1)
  const interest = dayInterest(loan.lent, BigInt(rate_ppm))
  const due = { number: 1, dueOn: due_on, amount: null, paid: 0n, fee: 0n, feePaid: 0n, lateThrough: null }
  const watch_through = addDays(opened_on, WATCH_DAYS)
  const debt = {
    project_id,
    rate_ppm,
    reserve_ppm: Number(charges.reserve_ppm),
    principal: loan.lent,
    interest_charged: interest,
    interest_paid: 0n,
    late_charged: 0n,
    late_paid: 0n,
    interest_through: firstDay,
    next_due_on: due_on,
    watch_through,
  }
  const secured = { ...debt, collateral: loan.collateral }
  const lever = { margin: null, ratio_tenths: null, bought: null, buy_price: null }
  const values = {
    ...lever,
    ...loan,
    late_ppm: Number(charges.late_ppm),
    grace_days: charges.graceDays,
    default_days: charges.defaultDays,
    liquidation_fee_ppm: Number(charges.liquidationFee_ppm),
    full_below: charges.fullBelow,
    installment_fee: charges.installmentFee,
    opened_on,
    due_on,
    state: 'active' as const,
    watch_price: boundOf(secured, watch_through, loan.clearing_ppm),
    safety_price: boundOf(secured, watch_through, loan.safety_ppm),
    warned_at: null,
    reminded_for: null,
    created_at: now,
    closed_at: null,
  }
  const record = await insertLoan(tx, values, debt, [due])
  await appendStep(tx, record, { kind: 'opened' }, now, opened_on)
  if (project_id !== null) await addLent(tx, project_id, { principal: loan.lent, interest })
  const charged = { day: firstDay, interest, late: 0n }
  await postNew(tx, [...moving(record.row), ...chargePostings(record.row, charged, { interest: 0n, late: 0n }, now)])
  return record
}

/** One after the other for each member. @throws AppError 4203 for a member with as many open loans as it may have */
export async function requireFewLoans(tx: Tx, memberId: bigint, { openLoans }: Settings): Promise<void> {
  await tx.selectFrom('member').select('id').where('id', '=', memberId).forNoKeyUpdate().execute()
  const open = await tx
    .selectFrom('loan')
    .select((row) => row.fn.countAll<bigint>().as('count'))
    .where('member_id', '=', memberId)
    .where('closed_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (open.count >= BigInt(openLoans)) throw new AppError(codes.aboveLimit, { limit: String(openLoans) })
}
