/**
 * A loan, for the computations of this folder. Amounts are base units (USDT, but for `collateral`), rates and
 * lines are millionths, days are UTC days.
 */

/** Terms that a loan keeps as they were when it was made. */
export type LoanTerms = {
  /** Interest a year. */
  rate_ppm: bigint
  /** Highest mortgage rate at which money is lent or collateral is released. */
  initial_ppm: bigint
  /** Margin call from this mortgage rate on. */
  safety_ppm: bigint
  /** Liquidation from this mortgage rate on. */
  clearing_ppm: bigint
  /** The part of interest and late charges for the reserve. */
  reserve_ppm: bigint
  /** Late charge a day, of the overdue amount. */
  late_ppm: bigint
  graceDays: number
  /** So many days after its due date an unpaid amount makes the whole loan due, and its collateral is sold. */
  defaultDays: number
  liquidationFee_ppm: bigint
  /** A smaller debt is liquidated as a whole. */
  fullBelow: bigint
  /** Handling fee of each installment. */
  installmentFee: bigint
}

/** The unpaid debt of now. */
export type Debt = { principal: bigint; interest: bigint; charges: bigint }

export const totalOf = ({ principal, interest, charges }: Debt): bigint => principal + interest + charges

/** An amount that is due on a day. An ordinary loan has one, for everything. */
export type Due = {
  number: number
  dueOn: string
  /** Null for the last: all that is left. It is set when the day is over; an amount that is more than what is left then is lowered. It stays after that. */
  amount: bigint | null
  paid: bigint
  /** Handling fee, on top of `amount`. */
  fee: bigint
  feePaid: bigint
  /** Late charges are charged up to this day; null before the first. */
  lateThrough: string | null
}

/** A loan as it stands on a day. */
export type Loan = {
  terms: LoanTerms
  debt: Debt
  /** In the collateral's asset. */
  collateral: bigint
  /** Interest is charged up to this day. */
  interestThrough: string
  /** In the order of their days; those that are wholly paid included. */
  dues: readonly Due[]
}

/** The unpaid part of a due amount whose size is known. */
export const missingOf = (due: Due): bigint => (due.amount === null ? 0n : due.amount - due.paid)

/** True when nothing of it is left to pay. */
export const isPaid = (due: Due): boolean => due.amount !== null && due.paid >= due.amount && due.feePaid >= due.fee

/**
 * The due amount that has to be paid first; undefined when nothing is owed. The last one has to be paid until nothing is owed:
 * the interest since its day is no part of its amount.
 */
export const oldestUnpaid = ({ debt, dues }: Pick<Loan, 'debt' | 'dues'>): Due | undefined =>
  totalOf(debt) === 0n ? undefined : (dues.find((due) => !isPaid(due)) ?? dues.at(-1))
