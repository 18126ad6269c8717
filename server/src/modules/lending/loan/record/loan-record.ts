import { addDays, daysBetween } from '@candela/protocol/calendar'
import { dayInterest } from '@candela/protocol/lending/interest'
import { type Debt, type Due, type Loan, type LoanTerms, oldestUnpaid, totalOf } from '@candela/protocol/lending/loan'
import { mulDivUp } from '@candela/protocol/money/money'
import { PPM, WHOLE_UNIT } from '@candela/protocol/units'
import type { Selectable } from 'kysely'
import type { Tables } from '../../../../db/tables/index.ts'

/** The columns of a loan and of its debt. */
export type LoanRow = Omit<Selectable<Tables['loan']>, 'audited_at'> & Omit<Selectable<Tables['loan_debt']>, 'loan_id'>

/** A loan as it is stored, with its due amounts in the order of their days. */
export type LoanRecord = { row: LoanRow; dues: readonly Due[] }

export const termsOf = (row: LoanRow): LoanTerms => ({
  rate_ppm: BigInt(row.rate_ppm),
  initial_ppm: BigInt(row.initial_ppm),
  safety_ppm: BigInt(row.safety_ppm),
  clearing_ppm: BigInt(row.clearing_ppm),
  reserve_ppm: BigInt(row.reserve_ppm),
  late_ppm: BigInt(row.late_ppm),
  graceDays: row.grace_days,
  defaultDays: row.default_days,
  liquidationFee_ppm: BigInt(row.liquidation_fee_ppm),
  fullBelow: row.full_below,
  installmentFee: row.installment_fee,
})

type DebtColumns = Pick<LoanRow, 'principal' | 'interest_charged' | 'interest_paid' | 'late_charged' | 'late_paid'>

export const debtOf = (row: DebtColumns): Debt => ({
  principal: row.principal,
  interest: row.interest_charged - row.interest_paid,
  charges: row.late_charged - row.late_paid,
})

/** A stored loan as the computations take it. */
export const loanOf = ({ row, dues }: LoanRecord): Loan => ({
  terms: termsOf(row),
  debt: debtOf(row),
  collateral: row.collateral,
  interestThrough: row.interest_through,
  dues,
})

type SecuredColumns = DebtColumns & Pick<LoanRow, 'collateral'>

export const securedOf = (row: SecuredColumns) => ({ debt: totalOf(debtOf(row)), collateral: row.collateral })

/** The due amount that has to be paid first; undefined when nothing is owed. */
export const nextDueOf = ({ row, dues }: LoanRecord): Due | undefined => oldestUnpaid({ debt: debtOf(row), dues })

/**
 * Bounds of prices include the interest of so many days ahead. More of them find more loans that are not at a line yet; fewer write
 * the indexes of the bounds more often.
 */
export const WATCH_DAYS = 14
/** The bound of a debt that nothing secures. */
export const BEYOND_ALL_PRICES = 10n ** 60n

/** The lowest price, rounded up, at which a line is surely not reached until the interest of `through` is charged. */
export function boundOf(
  row: SecuredColumns & Pick<LoanRow, 'interest_through' | 'rate_ppm'>,
  through: string,
  line_ppm: number,
): bigint {
  const { debt, collateral } = securedOf(row)
  if (debt === 0n) return 0n
  if (collateral === 0n) return BEYOND_ALL_PRICES
  const days = Math.max(0, daysBetween(row.interest_through, through))
  const ahead = debt + dayInterest(row.principal, BigInt(row.rate_ppm)) * BigInt(days)
  return mulDivUp(ahead * PPM, WHOLE_UNIT, collateral * BigInt(line_ppm))
}

/** Puts right what follows from the rest of a record: its state while it is open, its next due date, its bounds. */
export function settled(record: LoanRecord, today: string): LoanRecord {
  const { row, dues } = record
  const next = nextDueOf(record)
  const watch_through = addDays(today, WATCH_DAYS)
  const normal = dues.length > 1 ? 'installment' : 'active'
  return {
    dues,
    row: {
      ...row,
      state: row.closed_at !== null ? row.state : next !== undefined && next.dueOn < today ? 'overdue' : normal,
      next_due_on: next?.dueOn ?? null,
      watch_through,
      watch_price: row.closed_at === null ? boundOf(row, watch_through, row.clearing_ppm) : 0n,
      safety_price: row.closed_at === null ? boundOf(row, watch_through, row.safety_ppm) : 0n,
    },
  }
}
