import { addDays, daysBetween } from '../calendar.ts'
import { mulDivUp } from '../money/money.ts'
import { PPM } from '../units.ts'
import { dayInterest } from './interest.ts'
import { type Debt, type Due, isPaid, type Loan, type LoanTerms, missingOf } from './loan.ts'

/**
 * How a loan grows from day to day. The server charges with it, the app recomputes with it; where the server charges many
 * loans in one statement, a property test holds the statement to it.
 */

/** What was charged for one day. */
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
  const unpaid = state.dues.filter((due) => due.dueOn < today && !isPaid(due) && owes(state.debt))
  return {
    ...loan,
    ...state,
    interestThrough: day,
    charged,
    overdue: unpaid.length > 0,
    defaulted: unpaid.some((due) => daysBetween(due.dueOn, today) >= loan.terms.defaultDays),
  }
}

const owes = ({ principal, interest, charges }: Debt): boolean => principal + interest + charges > 0n

function chargeLate(
  { graceDays, late_ppm }: LoanTerms,
  debt: Debt,
  dues: readonly Due[],
  day: string,
): { amount: bigint; dues: readonly Due[] } {
  let amount = 0n
  const charged = dues.map((given) => {
    const due = fixRest(given, debt, dues, day)
    const from = due.lateThrough ?? due.dueOn
    if (missingOf(due) <= 0n || daysBetween(due.dueOn, day) <= graceDays || from >= day) return due
    amount += lateCharge(missingOf(due), late_ppm, daysBetween(from, day))
    return { ...due, lateThrough: day }
  })
  return { amount, dues: charged }
}

/** When its day is over, "all that is left" becomes an amount: interest and principal less what other amounts claim. */
function fixRest(due: Due, debt: Debt, dues: readonly Due[], day: string): Due {
  if (due.amount !== null || due.dueOn >= day) return due
  const others = dues.reduce((sum, other) => sum + (other === due ? 0n : missingOf(other)), 0n)
  const left = debt.principal + debt.interest - others
  return { ...due, amount: due.paid + (left > 0n ? left : 0n) }
}
