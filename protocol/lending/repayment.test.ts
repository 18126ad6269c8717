import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, addMonths } from '../calendar.ts'
import { WHOLE_UNIT } from '../units.ts'
import { advance, type Advanced } from './advance.ts'
import { type Due, type Loan, totalOf } from './loan.ts'
import { countSale, nextPayment, payoffOf, repay } from './repayment.ts'
import { anyNewLoan, FIRST_DAY, inInstallments, openLoan, terms } from './testing.ts'

/** Drawing a loan runs through its days, so these are few; faults show in them. */
const RUNS = { numRuns: 80 }

const percents = fc.bigInt({ min: 0n, max: 100n })
/** Amounts that are a part of the pay-off, and amounts close to it. */
const anyPart = fc.oneof(
  percents.map((percent) => (payoff: bigint) => (payoff * percent) / 100n),
  fc.bigInt({ min: 0n, max: 3n * WHOLE_UNIT }).map((less) => (payoff: bigint) => (payoff > less ? payoff - less : 0n)),
)

/** A loan on some day, overdue and past its end included, after a payment. */
const anyLoan = fc
  .record({ drawn: anyNewLoan, wait: fc.nat(200), part: anyPart, again: fc.nat(200) })
  .map(({ drawn, wait, part, again }): Advanced => {
    const first = advance(drawn.loan, addDays(FIRST_DAY, wait))
    const paid = repay(first, first.interestThrough, part(payoffOf(first, first.interestThrough)))
    const loan = paid.closed ? first : { ...first, debt: paid.debt, dues: paid.dues }
    return advance(loan, addDays(first.interestThrough, again))
  })

const paidOf = (dues: readonly Due[]): bigint => dues.reduce((sum, { paid }) => sum + paid, 0n)

/** Interest and principal that were paid are paid of the due amounts; what is more is paid when all of these are, and is part of none. */
function expectCounted(before: readonly Due[], after: readonly Due[], counted: bigint): void {
  const beyond = counted - (paidOf(after) - paidOf(before))
  expect(beyond >= 0n).toBe(true)
  if (beyond > 0n) for (const { amount, paid } of after) expect(paid).toBe(amount)
  // An amount that was fixed may be spared, and never grows.
  for (const [index, due] of before.entries()) {
    if (due.amount !== null) expect((after[index]?.amount ?? 0n) <= due.amount).toBe(true)
  }
}

test('the parts sum to the payment less what is left over, and lower the debt by just that', () => {
  fc.assert(
    fc.property(anyLoan, anyPart, (loan, part) => {
      const today = loan.interestThrough
      const amount = part(payoffOf(loan, today))
      const { parts, rest, debt } = repay(loan, today, amount)
      const { fees, ...counted } = parts
      expect(fees + totalOf(counted) + rest).toBe(amount)
      for (const each of Object.values(parts)) expect(each >= 0n).toBe(true)
      for (const each of ['principal', 'interest', 'charges'] as const) {
        expect(debt[each]).toBe(loan.debt[each] - counted[each])
        expect(debt[each] >= 0n).toBe(true)
      }
    }),
    RUNS,
  )
})

test('nothing is left over while anything is owed', () => {
  fc.assert(
    fc.property(anyLoan, anyPart, (loan, part) => {
      const today = loan.interestThrough
      const paid = repay(loan, today, part(payoffOf(loan, today)))
      if (paid.rest > 0n) expect([paid.closed, totalOf(paid.debt)]).toEqual([true, 0n])
    }),
    RUNS,
  )
  // The due amount of a loan past its end, and half of the interest since then.
  const late = advance(openLoan(terms, 1_000n * WHOLE_UNIT, FIRST_DAY, 30), addDays(FIRST_DAY, 34))
  const amount = totalOf(late.debt) - WHOLE_UNIT / 2n
  const paid = repay(late, late.interestThrough, amount)
  expect([paid.rest, paid.closed, totalOf(paid.debt)]).toEqual([0n, false, WHOLE_UNIT / 2n])
})

test('the pay-off closes the loan exactly, one base unit less does not, and more is left over', () => {
  fc.assert(
    fc.property(anyLoan, fc.bigInt({ min: 0n, max: 10n ** 20n }), (loan, more) => {
      const today = loan.interestThrough
      const payoff = payoffOf(loan, today)
      const paid = repay(loan, today, payoff + more)
      expect([paid.closed, paid.rest, totalOf(paid.debt)]).toEqual([true, more, 0n])
      expect(paid.dues.every((due) => due.amount === due.paid && due.fee === due.feePaid)).toBe(true)
      const short = repay(loan, today, payoff - 1n)
      expect([short.closed, short.rest]).toEqual([false, 0n])
      expect(payoffOf(short, today) > 0n).toBe(true)
    }),
    RUNS,
  )
})

test('charges come first, then handling fees that have come due, then interest before principal', () => {
  fc.assert(
    fc.property(anyLoan, anyPart, (loan, part) => {
      const today = loan.interestThrough
      const { parts, debt, dues } = repay(loan, today, part(payoffOf(loan, today)))
      const counted = parts.interest + parts.principal
      if (parts.fees + counted > 0n) expect(debt.charges).toBe(0n)
      const unpaid = dues.filter(({ dueOn }) => dueOn <= today).some(({ fee, feePaid }) => feePaid < fee)
      if (counted > 0n) expect(unpaid).toBe(false)
      if (parts.principal > 0n) expect(debt.interest).toBe(0n)
    }),
    RUNS,
  )
})

test('what was paid of the due amounts is the interest and principal that was paid', () => {
  fc.assert(
    fc.property(anyLoan, anyPart, (loan, part) => {
      const today = loan.interestThrough
      const { parts, dues } = repay(loan, today, part(payoffOf(loan, today)))
      expectCounted(loan.dues, dues, parts.interest + parts.principal)
      for (const due of dues) {
        expect(due.amount === null || due.paid <= due.amount).toBe(true)
        expect(due.feePaid <= due.fee).toBe(true)
      }
    }),
    RUNS,
  )
})

describe('the next payment', () => {
  test('settles the oldest unpaid installment, whatever else is late, or ends the loan', () => {
    fc.assert(
      fc.property(anyLoan, (loan) => {
        const today = loan.interestThrough
        const next = nextPayment(loan, today)
        const oldest = loan.dues.findIndex((due) => due.amount === null || due.paid < due.amount)
        const paid = repay(loan, today, next)
        expect([paid.rest, next > 0n && next <= payoffOf(loan, today)]).toEqual([0n, true])
        if (paid.closed) return
        const due = paid.dues[oldest]
        expect([due?.paid, due?.feePaid]).toEqual([due?.amount, due?.fee])
        expect(repay(loan, today, next - 1n).dues[oldest]?.paid).not.toBe(due?.amount)
      }),
      RUNS,
    )
  })
})

describe('in several payments', () => {
  test('on one day they come to what one payment comes to', () => {
    fc.assert(
      fc.property(anyLoan, fc.array(percents, { maxLength: 6 }), (loan, cuts) => {
        const today = loan.interestThrough
        // Below everything that a payment could still take, so that none of the first ones ends the loan.
        const all = totalOf(loan.debt) / 2n
        const points = [0n, ...cuts.map((cut) => (all * cut) / 100n).toSorted((one, other) => Number(one - other)), all]
        let parts: Pick<Loan, 'debt' | 'dues'> = loan
        for (const [index, point] of points.entries()) {
          if (index > 0) parts = repay(parts, today, point - (points[index - 1] ?? 0n))
        }
        const whole = repay(loan, today, all)
        expect([parts.debt, parts.dues]).toEqual([whole.debt, whole.dues])
      }),
      RUNS,
    )
  })

  test('the handling fee of an installment is paid once, and only spared by ending the loan before its day', () => {
    const loan = inInstallments(openLoan(terms, 900n * WHOLE_UNIT, FIRST_DAY, 360), FIRST_DAY, 3)
    const due = advance(loan, addMonths(FIRST_DAY, 1))
    const day = due.interestThrough
    expect(payoffOf(due, day) - totalOf(due.debt)).toBe(WHOLE_UNIT)
    expect(repay(due, day, payoffOf(due, day)).parts.fees).toBe(WHOLE_UNIT)
    // The first two at once: two fees. The second is not asked for again.
    const two = repay(due, day, nextPayment(due, day) * 2n)
    expect(two.parts.fees).toBe(2n * WHOLE_UNIT)
    const later = advance({ ...due, ...two }, addMonths(FIRST_DAY, 3))
    expect(payoffOf(later, later.interestThrough) - totalOf(later.debt)).toBe(WHOLE_UNIT)
  })

  test('fees that are due cannot be left out by paying the debt alone', () => {
    const loan = inInstallments(openLoan({ ...terms, late_ppm: 0n }, 900n * WHOLE_UNIT, FIRST_DAY, 360), FIRST_DAY, 3)
    const ended = advance(loan, addMonths(FIRST_DAY, 4))
    const day = ended.interestThrough
    // The fees of the first two, and everything else but the third fee.
    const paid = repay(ended, day, payoffOf(ended, day) - WHOLE_UNIT)
    expect([paid.closed, paid.parts.fees, totalOf(paid.debt)]).toEqual([false, 3n * WHOLE_UNIT, WHOLE_UNIT])
  })
})

test('an amount that was fixed when its day was over stays when the loan is paid or sold later', () => {
  const opened = openLoan(terms, 1_000n * WHOLE_UNIT, FIRST_DAY, 30)
  const fixed = advance(opened, addDays(FIRST_DAY, 31)).dues[0]?.amount
  const late = advance(opened, addDays(FIRST_DAY, 60))
  const debt = totalOf(late.debt)
  expect(debt - late.debt.charges > (fixed ?? 0n)).toBe(true)
  for (const { dues, closed } of [
    repay(late, late.interestThrough, debt),
    repay(late, late.interestThrough, debt - 1n),
    countSale(late, debt),
    countSale(late, debt - 1n),
  ])
    expect([closed, dues[0]?.amount, dues[0]?.paid]).toEqual([closed, fixed, fixed])
})

describe('a sale of collateral', () => {
  test('pays the debt in the order of a payment, and the due amounts without their fees', () => {
    fc.assert(
      fc.property(anyLoan, percents, (loan, percent) => {
        const repaid = (totalOf(loan.debt) * percent) / 100n
        const { parts, debt, dues, closed } = countSale(loan, repaid)
        expect(totalOf(parts)).toBe(repaid)
        if (parts.interest > 0n) expect(debt.charges).toBe(0n)
        if (parts.principal > 0n) expect(debt.interest).toBe(0n)
        expect(totalOf(debt)).toBe(totalOf(loan.debt) - repaid)
        expect(closed).toBe(totalOf(debt) === 0n)
        expectCounted(loan.dues, dues, parts.interest + parts.principal)
        for (const [index, due] of dues.entries()) expect(due.feePaid).toBe(loan.dues[index]?.feePaid)
        // The part that the sale paid is not late any more.
        const missing = dues.reduce((sum, due) => sum + (due.amount ?? due.paid) - due.paid, 0n)
        const tomorrow = advance({ ...loan, debt, dues }, addDays(loan.interestThrough, 1))
        const most = (missing * loan.terms.late_ppm * 400n) / 1_000_000n + 12n
        if (!closed && !loan.dues.some((due) => due.amount === null)) {
          expect(tomorrow.debt.charges - debt.charges <= most).toBe(true)
        }
      }),
      RUNS,
    )
  })

  test('leaves no handling fee of an installment that it paid, and is refused above the debt', () => {
    const loan = inInstallments(openLoan(terms, 900n * WHOLE_UNIT, FIRST_DAY, 360), FIRST_DAY, 3)
    const [first] = loan.dues
    const { debt, dues } = countSale(loan, first?.amount ?? 0n)
    expect(dues.map(({ fee }) => fee)).toEqual([0n, WHOLE_UNIT, WHOLE_UNIT])
    expect(advance({ ...loan, debt, dues }, addDays(first?.dueOn ?? '', 1)).overdue).toBe(false)
    expect(() => countSale(openLoan(terms, 10n, FIRST_DAY, 30), 1_000n)).toThrow(RangeError)
  })
})
