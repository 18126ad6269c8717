import { type Debt, type Due, type Loan, missingOf, oldestUnpaid, totalOf } from './loan.ts'

/** How payments are counted. Amounts are USDT base units; the loan is advanced to the day of the payment before. */

/** Parts that a payment pays. Together they are the payment less what is left over. */
export type Repayment = { charges: bigint; fees: bigint; interest: bigint; principal: bigint }

export type Repaid = {
  parts: Repayment
  /** Not needed: more than what was owed. Zero while anything is owed. */
  rest: bigint
  debt: Debt
  dues: readonly Due[]
  closed: boolean
}

/** So many minutes after midnight a payment on chain of what ended the loan on the day before still ends it. */
export const FORGIVEN_MINUTES = 15

type Owed = Pick<Loan, 'debt' | 'dues'>

/** Handling fees of installments whose day has come, unpaid. */
const feesDue = (dues: readonly Due[], today: string): bigint =>
  dues.reduce((sum, due) => (due.dueOn <= today ? sum + due.fee - due.feePaid : sum), 0n)

/**
 * The amount that ends the loan today: everything owed, and the handling fees of installments that have come due. Installments that
 * have not come due cost no fee then.
 */
export const payoffOf = ({ debt, dues }: Owed, today: string): bigint => totalOf(debt) + feesDue(dues, today)

/**
 * The amount that settles the oldest unpaid installment: late charges, the handling fees that have come due and its own, and its amount or
 * all that is left.
 */
export function nextPayment(loan: Owed, today: string): bigint {
  const payoff = payoffOf(loan, today)
  const next = oldestUnpaid(loan)
  if (next === undefined || missingOf(next) === 0n) return payoff
  const ownFee = next.dueOn <= today ? 0n : next.fee - next.feePaid
  return min(payoff, loan.debt.charges + feesDue(loan.dues, today) + ownFee + missingOf(next))
}

/**
 * Counts a payment: late charges, then the handling fees that have come due, then installment by installment its amount, of
 * which interest comes before principal. Interest since the day of the last amount belongs to no amount: one that is fixed stays.
 * An installment that is paid before its day has its fee paid first. A payment that
 * covers the pay-off ends the loan; `rest` is what it did not need.
 */
export function repay(loan: Owed, today: string, amount: bigint): Repaid {
  const payoff = payoffOf(loan, today)
  const closed = amount >= payoff
  const charges = min(amount, loan.debt.charges)
  let left = min(amount, payoff) - charges
  let fees = 0n
  const payFee = (due: Due): Due => {
    const fee = min(left, due.fee - due.feePaid)
    left -= fee
    fees += fee
    return { ...due, feePaid: due.feePaid + fee }
  }
  const feesPaid = loan.dues.map((due) => (due.dueOn <= today ? payFee(due) : due))
  // Interest and principal that no installment has taken of this payment yet.
  let open = loan.debt.interest + loan.debt.principal
  const taken = feesPaid.map((given) => {
    const isAhead = given.dueOn > today && left > 0n && open > 0n && given.paid !== given.amount
    const due = isAhead && !closed ? payFee(given) : given
    const paid = min(left, due.amount === null ? open : min(open, missingOf(due)))
    left -= paid
    open -= paid
    return { ...due, paid: due.paid + paid }
  })
  const counted = loan.debt.interest + loan.debt.principal - open + left
  const { debt, ...parts } = lower(loan.debt, charges, counted)
  return {
    parts: { ...parts, fees },
    rest: amount - min(amount, payoff),
    debt,
    dues: closed ? taken.map(end) : taken,
    closed,
  }
}

/** Parts that the sale of collateral pays. */
export type CountedSale = { parts: Debt; debt: Debt; dues: readonly Due[]; closed: boolean }

/**
 * Counts what the sale of collateral repays: late charges, then installment by installment its amount, of which interest comes
 * before principal. An installment that it pays costs no handling fee. It ends the loan when nothing is owed any more.
 * @throws RangeError when it is more than what is owed
 */
export function countSale({ debt: owed, dues: given }: Owed, repaid: bigint): CountedSale {
  if (repaid < 0n || repaid > totalOf(owed)) throw new RangeError('a sale repays at most what is owed')
  const charges = min(repaid, owed.charges)
  const counted = repaid - charges
  let left = counted
  const taken = given.map((due) => {
    const paid = due.amount === null ? left : min(left, missingOf(due))
    left -= paid
    const isWhole = due.amount === due.paid + paid
    return { ...due, paid: due.paid + paid, fee: isWhole ? due.feePaid : due.fee }
  })
  const { debt, ...parts } = lower(owed, charges, counted)
  const closed = totalOf(debt) === 0n
  return { parts, debt, dues: closed ? taken.map(end) : taken, closed }
}

/** Lowers a debt by charges that were paid, and by an amount that pays interest before principal. */
function lower(debt: Debt, charges: bigint, counted: bigint): Debt & { debt: Debt } {
  const interest = min(counted, debt.interest)
  const principal = counted - interest
  const left = {
    principal: debt.principal - principal,
    interest: debt.interest - interest,
    charges: debt.charges - charges,
  }
  return { charges, interest, principal, debt: left }
}

/** A loan that has ended has nothing more due. */
const end = (due: Due): Due => ({ ...due, amount: due.paid, fee: due.feePaid })

const min = (a: bigint, b: bigint): bigint => (a < b ? a : b)
