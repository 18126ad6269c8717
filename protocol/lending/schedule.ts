import { addMonths, daysBetween } from '../calendar.ts'
import { dayInterest } from './interest.ts'

/**
 * Installments: equal monthly payments (an annuity) on a debt with simple daily interest. See "annuity-immediate" in any
 * text on loan amortisation; here the periods have their real number of days, and every figure is an exact integer.
 */

export const installmentCounts = [3, 6, 9, 12] as const
export type InstallmentCount = (typeof installmentCounts)[number]

/** The least principal that may be paid in so many installments: the handling fees must not be more than what is owed. */
export const minimumPrincipal = (count: number, fee: bigint): bigint => BigInt(count) * fee

/** In how many installments a principal may be paid; none when it is less than the fees of the fewest. */
export const possibleCounts = (principal: bigint, fee: bigint): InstallmentCount[] =>
  installmentCounts.filter((count) => principal > 0n && principal >= minimumPrincipal(count, fee))

/** A planned installment. `payment` is interest and principal together, without the handling fee. */
export type Installment = {
  number: number
  dueOn: string
  payment: bigint
  interest: bigint
  principal: bigint
  fee: bigint
  /** Principal that is left after it. */
  left: bigint
}

export type ScheduleInput = {
  principal: bigint
  /** Charged already and not paid: due with the first installment. */
  interest: bigint
  rate_ppm: bigint
  /** The day on which the loan is turned into installments; the first is due a month later. */
  from: string
  /** Interest is charged up to this day already. */
  interestThrough: string
  count: number
  fee: bigint
}

/**
 * The whole plan, if every installment is paid on its day. All payments are equal but the last, which is at most as large:
 * the payment is the smallest one for which that holds. The principal parts sum to the principal, exactly.
 * @throws RangeError for a principal or a count that is not positive
 */
export function scheduleOf(input: ScheduleInput): Installment[] {
  if (input.principal <= 0n || input.count < 1) throw new RangeError('a schedule needs a principal and installments')
  const periods = periodsOf(input)
  // Binary search: the last payment falls while the equal payment grows.
  let low = 1n
  let high = lastPayment(plan(input, periods, 0n))
  while (low < high) {
    const middle = (low + high) / 2n
    if (lastPayment(plan(input, periods, middle)) <= middle) high = middle
    else low = middle + 1n
  }
  return plan(input, periods, low)
}

const lastPayment = (installments: readonly Installment[]): bigint => installments.at(-1)?.payment ?? 0n

/** Due dates, and how many days of interest are charged until each. */
type Period = { number: number; dueOn: string; days: bigint }

function periodsOf({ from, interestThrough, count }: ScheduleInput): Period[] {
  const periods: Period[] = []
  let chargedTo = interestThrough
  for (let number = 1; number <= count; number += 1) {
    const dueOn = addMonths(from, number)
    periods.push({ number, dueOn, days: BigInt(Math.max(0, daysBetween(chargedTo, dueOn))) })
    if (dueOn > chargedTo) chargedTo = dueOn
  }
  return periods
}

/** The plan with a given equal payment; the last takes all that is left. */
function plan({ principal, interest, rate_ppm, fee }: ScheduleInput, periods: readonly Period[], equal: bigint) {
  let left = principal
  let unpaidInterest = interest
  return periods.map(({ number, dueOn, days }): Installment => {
    unpaidInterest += dayInterest(left, rate_ppm) * days
    const all = left + unpaidInterest
    const payment = number === periods.length || equal > all ? all : equal
    const interestPart = payment < unpaidInterest ? payment : unpaidInterest
    unpaidInterest -= interestPart
    left -= payment - interestPart
    return { number, dueOn, payment, interest: interestPart, principal: payment - interestPart, fee, left }
  })
}
