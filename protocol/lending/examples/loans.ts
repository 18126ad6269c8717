import { addDays, addMonths } from '../../calendar.ts'
import { WHOLE_UNIT } from '../../units.ts'
import { advance } from '../advance.ts'
import { mortgageRate, priceAtLine, safetyStatus } from '../lines.ts'
import { type Debt, totalOf } from '../loan.ts'
import { nextPayment, payoffOf, repay } from '../repayment.ts'
import { scheduleOf } from '../schedule.ts'
import { inInstallments, openLoan, terms } from '../testing.ts'
import { amount, percent, table } from './table.ts'

/** Loans that are paid: ordinary, in installments, early and late. */

const OPENED = '2026-01-31'
const LENT = 1_000n * WHOLE_UNIT
const ordinary = { ...openLoan(terms, LENT, OPENED, 30), collateral: 2_100n * WHOLE_UNIT }
const installments = inInstallments(ordinary, OPENED, 3)
const daysLater = (days: number): string => addDays(OPENED, days)

/** The amount that ends the ordinary loan, by the day. */
export const payoffs = (): string =>
  table(
    ['day', 'days charged', 'interest', 'ends the loan'],
    [0, 1, 2, 10, 30].map((days) => {
      const { debt, interestThrough, dues } = advance(ordinary, daysLater(days))
      return [
        daysLater(days),
        String(Math.max(1, days)),
        amount(debt.interest),
        amount(payoffOf({ debt, dues }, interestThrough)),
      ]
    }),
  )

/** The mortgage rate of the ordinary loan on its first day, at different prices. */
export function lines(): string {
  const secured = { debt: totalOf(ordinary.debt), collateral: ordinary.collateral }
  const safety = priceAtLine(secured, terms.safety_ppm) ?? 0n
  const clearing = priceAtLine(secured, terms.clearing_ppm) ?? 0n
  return table(
    ['price of 1 JU', 'mortgage rate', 'status'],
    [WHOLE_UNIT, safety + 1n, safety, clearing + 1n, clearing].map((price) => [
      `${amount(price)}${price === safety + 1n || price === clearing + 1n ? ' and a little more' : ''}`,
      percent(mortgageRate(secured, price) ?? 0n),
      safetyStatus(secured, price, terms),
    ]),
  )
}

/** The plan of the same loan, turned into three installments on its first day. */
export function schedule(): string {
  const { principal, interest } = ordinary.debt
  const { interestThrough } = ordinary
  const { rate_ppm, installmentFee: fee } = terms
  const plan = scheduleOf({ principal, interest, rate_ppm, from: OPENED, interestThrough, count: 3, fee })
  return table(
    ['due on', 'payment', 'of it interest', 'of it principal', 'handling fee', 'principal left'],
    plan.map((one) => [
      one.dueOn,
      amount(one.payment),
      amount(one.interest),
      amount(one.principal),
      amount(one.fee),
      amount(one.left),
    ]),
  )
}

/** The first installment is paid on its day, then everything on the day after, or as the plan says. */
export function payingEarly(): string {
  const first = advance(installments, addMonths(OPENED, 1))
  const paid = repay(first, first.interestThrough, nextPayment(first, first.interestThrough))
  const start = { ...first, debt: paid.debt, dues: paid.dues }
  const rows = [addDays(first.interestThrough, 1), addDays(first.interestThrough, 15), addMonths(OPENED, 2)].map(
    (day) => {
      const loan = advance(start, day)
      const { parts } = repay(loan, day, payoffOf(loan, day))
      return [day, amount(payoffOf(loan, day)), amount(parts.interest), amount(parts.principal), amount(parts.fees)]
    },
  )
  return table(['ended on', 'pays', 'of it interest', 'of it principal', 'of it handling fees'], rows)
}

/** The ordinary loan that nobody pays, by the days since its due date. */
export function late(): string {
  const due = daysLater(30)
  return table(
    ['day', 'days late', 'interest', 'late charges', 'ends the loan', 'state'],
    [0, 1, 3, 4, 5, 14, 60].map((days) => {
      const loan = advance(ordinary, addDays(due, days))
      const state = loan.defaulted ? 'default: collateral is sold' : loan.overdue ? 'overdue' : 'active'
      const { interest, charges } = loan.debt
      const { interestThrough: day } = loan
      return [day, String(days), amount(interest), amount(charges), amount(payoffOf(loan, day)), state]
    }),
  )
}

/** How 520 USDT that are paid five days late are counted, and what is left. */
export function latePayment(): string {
  const loan = advance(ordinary, daysLater(35))
  const { parts, debt } = repay(loan, loan.interestThrough, 520n * WHOLE_UNIT)
  return table(
    ['', 'late charges', 'interest', 'principal', 'together'],
    [debtRow('owed', loan.debt), debtRow('paid', parts), debtRow('left', debt)],
  )
}

/** 500 USDT are paid in a block of one day and credited four days later. */
export function blockDay(): string {
  const [block, credited] = [daysLater(10), daysLater(14)]
  const before = advance(ordinary, block)
  const { debt, dues } = repay(before, block, 500n * WHOLE_UNIT)
  const charged = advance(ordinary, credited)
  const counted = advance({ ...before, debt, dues }, credited)
  const correction = charged.debt.interest - before.debt.interest - counted.debt.interest
  return table(
    ['', 'late charges', 'interest', 'principal', 'together'],
    [
      debtRow('owed in the block', before.debt),
      debtRow('left in the block', debt),
      debtRow('owed when it is credited, without it', charged.debt),
      debtRow('charged too much since the block', { charges: 0n, interest: correction, principal: 0n }),
      debtRow('owed when it is credited, with it', counted.debt),
    ],
  )
}

const debtRow = (what: string, { charges, interest, principal }: Debt): string[] => [
  what,
  ...[charges, interest, principal, charges + interest + principal].map(amount),
]
