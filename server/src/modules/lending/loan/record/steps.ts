import { advance } from '@candela/protocol/lending/advance'
import type { Due } from '@candela/protocol/lending/loan'
import { repay, type Repayment } from '@candela/protocol/lending/repayment'
import { fromBaseUnits } from '@candela/protocol/money/money'
import type { Notice } from '../../../notice/notify.ts'
import type { AccountId } from '../../../../ledger/chart.ts'
import type { Leg, Posting } from '../../../../ledger/post.ts'
import type { Done } from './history.ts'
import { loanOf, type LoanRecord, type LoanRow } from './loan-record.ts'
import { chargePostings, pledgeReturnPosting, repaymentLegs } from './postings.ts'

/** A loan after a step, with what is posted and told for it, and what was done to the debt. Steps compute; `commitChange` writes. */
export type Change = { loan: LoanRecord; postings: Posting[]; notices: Notice[]; done?: Done | undefined }

export const unchanged = (loan: LoanRecord): Change => ({ loan, postings: [], notices: [] })

/** One step after the other. */
export const join = (first: Change, second: Change): Change => ({
  loan: second.loan,
  postings: [...first.postings, ...second.postings],
  notices: [...first.notices, ...second.notices],
  done: first.done ?? second.done,
})

export const paidOf = (row: LoanRow) => ({ interest: row.interest_paid, late: row.late_paid })

/** Charges interest and late charges of every day up to today. */
export function chargeStep(loan: LoanRecord, today: string, now: Date): Change {
  const { row } = loan
  const advanced = advance(loanOf(loan), today)
  let [interest, late] = [row.interest_charged, row.late_charged]
  const postings: Posting[] = []
  for (const day of advanced.charged) {
    postings.push(...chargePostings(row, day, { interest, late }, now))
    interest += day.interest
    late += day.late
  }
  return {
    loan: {
      row: { ...row, interest_charged: interest, late_charged: late, interest_through: advanced.interestThrough },
      dues: sameDues(loan.dues, advanced.dues) ? loan.dues : advanced.dues,
    },
    postings,
    notices: [],
  }
}

const sameDues = (one: readonly Due[], other: readonly Due[]): boolean =>
  one.length === other.length &&
  one.every((due, nth) => due.amount === other[nth]?.amount && due.lateThrough === other[nth]?.lateThrough)

export type RepaidStep = {
  loan: LoanRecord
  /** The legs of the repayment. */
  legs: Leg[]
  parts: Repayment
  paid: bigint
  /** More than was owed: not taken. */
  rest: bigint
}

/** Counts a payment of up to `amount` from `payer`, on a loan that is charged up to today. */
export function repayStep(loan: LoanRecord, payer: AccountId, amount: bigint, today: string): RepaidStep {
  const { row } = loan
  const { parts, rest, dues } = repay(loanOf(loan), today, amount)
  return {
    loan: {
      row: {
        ...row,
        principal: row.principal - parts.principal,
        interest_paid: row.interest_paid + parts.interest,
        late_paid: row.late_paid + parts.charges,
      },
      dues,
    },
    legs: repaymentLegs(row, payer, parts, paidOf(row)),
    parts,
    paid: amount - rest,
    rest,
  }
}

/** Ends a loan on which nothing is owed any more, and returns its collateral; leaves others as they are. */
export function endStep(loan: LoanRecord, state: 'repaid' | 'liquidated', now: Date): Change {
  const { row } = loan
  const owes = row.principal > 0n || row.interest_charged > row.interest_paid || row.late_charged > row.late_paid
  if (owes || row.closed_at !== null) return unchanged(loan)
  const returned = row.collateral
  const told: Notice = {
    kind: 'loanRepaid',
    params: { asset: row.collateral_asset, amount: fromBaseUnits(returned), loanNo: row.loan_no },
    memberId: row.member_id,
    source: `loan:${row.loan_no}:repaid`,
    at: now,
  }
  return {
    loan: { ...loan, row: { ...row, state, collateral: 0n, closed_at: now } },
    postings: returned > 0n ? [pledgeReturnPosting(row, returned, 'end', now)] : [],
    notices: state === 'repaid' ? [told] : [],
  }
}
