import { type Debt, type Due, isPaid, type Loan, totalOf } from './loan.ts'

/** How payments are counted. Amounts are USDT base units; the loan is advanced to the day of the payment before. */

/** What a payment pays. Together they are the payment less what is left over. */
export type Repayment = { charges: bigint; fees: bigint; interest: bigint; principal: bigint }

export type Repaid = {
  parts: Repayment
  /** Not needed: more than what was owed. */
  rest: bigint
  debt: Debt
  dues: readonly Due[]
  closed: boolean
}

/** Handling fees of installments whose day has come, unpaid. */
const feesDue = (dues: readonly Due[], today: string): bigint =>
  dues.reduce((sum, due) => (due.dueOn <= today ? sum + due.fee - due.feePaid : sum), 0n)

/**
 * What ends the loan today: everything owed, and the handling fees of installments that have come due. Installments that
 * have not come due cost no fee then.
 */
export const payoffOf = ({ debt, dues }: Pick<Loan, 'debt' | 'dues'>, today: string): bigint =>
  totalOf(debt) + feesDue(dues, today)

/** What the next unpaid installment takes: late charges, its fee, and its amount or all that is left. */
export function nextPayment(loan: Pick<Loan, 'debt' | 'dues'>, today: string): bigint {
  const payoff = payoffOf(loan, today)
  const next = loan.dues.find((due) => !isPaid(due))
  if (next === undefined || next.amount === null) return payoff
  const amount = loan.debt.charges + next.fee - next.feePaid + next.amount - next.paid
  return amount < payoff ? amount : payoff
}

/**
 * Counts a payment: late charges first, then installment by installment its handling fee and its amount, of which
 * interest comes before principal. A payment that covers the pay-off ends the loan; `rest` is what it did not need.
 */
export function repay(loan: Pick<Loan, 'debt' | 'dues'>, today: string, amount: bigint): Repaid {
  const payoff = payoffOf(loan, today)
  if (amount >= payoff) {
    return {
      parts: { ...loan.debt, fees: feesDue(loan.dues, today) },
      rest: amount - payoff,
      debt: { principal: 0n, interest: 0n, charges: 0n },
      dues: loan.dues.map((due) => settleAtPayoff(due, today)),
      closed: true,
    }
  }
  const charges = min(amount, loan.debt.charges)
  let left = amount - charges
  let fees = 0n
  const dues: Due[] = []
  // Interest and principal that no installment has taken of this payment yet.
  let open = loan.debt.interest + loan.debt.principal
  for (const due of loan.dues) {
    const fee = min(left, due.fee - due.feePaid)
    left -= fee
    fees += fee
    const wanted = due.amount === null ? open : min(open, due.amount - due.paid)
    const paid = min(left, wanted)
    left -= paid
    open -= paid
    dues.push({ ...due, feePaid: due.feePaid + fee, paid: due.paid + paid })
  }
  const counted = amount - charges - fees - left
  const interest = min(counted, loan.debt.interest)
  const principal = counted - interest
  const debt = {
    principal: loan.debt.principal - principal,
    interest: loan.debt.interest - interest,
    charges: loan.debt.charges - charges,
  }
  return { parts: { charges, fees, interest, principal }, rest: left, debt, dues, closed: totalOf(debt) === 0n }
}

const settleAtPayoff = (due: Due, today: string): Due => ({
  ...due,
  amount: due.amount ?? due.paid,
  paid: due.amount ?? due.paid,
  feePaid: due.dueOn <= today ? due.fee : due.feePaid,
})

const min = (a: bigint, b: bigint): bigint => (a < b ? a : b)
