import { addDays, daysBetween } from '../calendar.ts'
import { mulDivUp } from '../money/money.ts'
import { PPM } from '../units.ts'
import { dayInterest } from './interest.ts'
import { type Debt, type Due, type Loan, type LoanTerms, missingOf, oldestUnpaid } from './loan.ts'

/**
 * How a loan grows from day to day. The server charges with it, the app recomputes with it; where the server charges many
 * loans in one statement, a property test holds the statement to it.
 */

/** The amounts charged for one day. */
export type DayCharge = { day: string; interest: bigint; late: bigint }

export type Advanced = Loan & {
  charged: readonly DayCharge[]
  /** A due date has passed and something of it is unpaid. */
  overdue: boolean
  /** The oldest unpaid amount is so late that the whole loan is due and its collateral is sold. */
  defaulted: boolean
}

/**
 * The late charge of an amount: ceil(overdue × rate × days), simple. Nothing within the days of grace; then from the due
 * date on.
 */
export const lateCharge = (overdue: bigint, late_ppm: bigint, days: number): bigint =>
  mulDivUp(overdue, late_ppm * BigInt(days), PPM)

/** Charges every day up to and including `today`. What was charged before is not charged again. */
export function advance(loan: Loan, today: string): Advanced {
  let state = { debt: loan.debt, dues: loan.dues }
  const charged: DayCharge[] = []
  let day = loan.interestThrough
  // Late charges of a day that interest is charged for already, as on the first day of a loan.
  const late = chargeLate(loan.terms, state.debt, state.dues, day < today ? day : today)
  if (late.amount > 0n) charged.push({ day, interest: 0n, late: late.amount })
  state = { debt: { ...state.debt, charges: state.debt.charges + late.amount }, dues: late.dues }
  while (day < today) {
    day = addDays(day, 1)
    const interest = dayInterest(state.debt.principal, loan.terms.rate_ppm)
    // Late charges are of what was owed when the due date ended, before this day's interest.
    const chargedLate = chargeLate(loan.terms, state.debt, state.dues, day)
    const { principal, charges } = state.debt
    state = {
      debt: { principal, interest: state.debt.interest + interest, charges: charges + chargedLate.amount },
      dues: chargedLate.dues,
    }
    charged.push({ day, interest, late: chargedLate.amount })
  }
  const oldest = oldestUnpaid(state)
  return {
    ...loan,
    ...state,
    interestThrough: day,
    charged,
    overdue: oldest !== undefined && oldest.dueOn < today,
    defaulted: oldest !== undefined && daysBetween(oldest.dueOn, today) >= loan.terms.defaultDays,
  }
}

function chargeLate(
  { graceDays, late_ppm }: LoanTerms,
  debt: Debt,
  dues: readonly Due[],
  day: string,
): { amount: bigint; dues: readonly Due[] } {
  let amount = 0n
  // Interest and principal that no earlier due amount claims.
  let unclaimed = debt.principal + debt.interest
  const charged = dues.map((given) => {
    if (given.dueOn >= day) return given
    const due = limitTo(unclaimed, given)
    const missing = missingOf(due)
    unclaimed -= missing
    const from = due.lateThrough ?? due.dueOn
    if (missing <= 0n || from >= day || daysBetween(due.dueOn, day) <= graceDays) return due
    amount += lateCharge(missing, late_ppm, daysBetween(from, day))
    return { ...due, lateThrough: day }
  })
  return { amount, dues: charged }
}

/**
 * The amount that is due when its day is over: "all that is left" becomes an amount, and no amount is more than what is left. Interest
 * that was spared by paying early can make an installment larger than that. One that nothing is left for costs no fee.
 */
function limitTo(left: bigint, due: Due): Due {
  if (due.amount !== null && missingOf(due) <= left) return due
  return { ...due, amount: due.paid + left, fee: left === 0n ? due.feePaid : due.fee }
}
