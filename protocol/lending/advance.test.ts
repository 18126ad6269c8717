import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, daysBetween } from '../calendar.ts'
import { WHOLE_UNIT } from '../units.ts'
import { advance } from './advance.ts'
import { dayInterest, interestDays } from './interest.ts'
import { type Loan, totalOf } from './loan.ts'
import { repay } from './repayment.ts'
import { anyLent, anyNewLoan, anyTerms, FIRST_DAY, openLoan, terms } from './testing.ts'

const after = (loan: Loan, days: number): string => addDays(loan.interestThrough, days)
const state = ({ debt, dues, interestThrough, overdue, defaulted }: ReturnType<typeof advance>) => ({
  debt,
  dues,
  interestThrough,
  overdue,
  defaulted,
})

const ceil = (amount: bigint, divisor: bigint): bigint => (amount + divisor - 1n) / divisor

/** Everything that an ordinary loan that nobody pays owes, so many days after its opening, once more. */
function owed(loan: Loan, term: number, day: number): bigint {
  const { rate_ppm, late_ppm, graceDays } = loan.terms
  const perDay = ceil(loan.debt.principal * rate_ppm, 365_000_000n)
  const due = loan.debt.principal + perDay * BigInt(term)
  const late = day - term
  // The first charge is for all days since the due date, each later one for its day.
  const charges =
    late > graceDays
      ? ceil(due * late_ppm * BigInt(graceDays + 1), 1_000_000n) +
        ceil(due * late_ppm, 1_000_000n) * BigInt(late - graceDays - 1)
      : 0n
  return loan.debt.principal + perDay * BigInt(Math.max(1, day)) + charges
}

test('what an unpaid loan owes on any day is what a short formula says', () => {
  fc.assert(
    fc.property(anyTerms, anyLent, fc.constantFrom(7, 30, 90), fc.nat(200), (of, lent, term, day) => {
      const loan = openLoan(of, lent, FIRST_DAY, term)
      const today = addDays(FIRST_DAY, day)
      const advanced = advance(loan, today)
      expect(totalOf(advanced.debt)).toBe(owed(loan, term, day))
      expect(advanced.debt.interest).toBe(dayInterest(lent, of.rate_ppm) * BigInt(interestDays(FIRST_DAY, today)))
      expect(advanced.overdue).toBe(day > term)
      expect(advanced.defaulted).toBe(day - term >= of.defaultDays)
    }),
  )
})

test('day by day comes to the same as at once, also through payments', () => {
  const payment = fc.record({ wait: fc.nat(70), amount: fc.bigInt({ min: 1n, max: 200_000n * WHOLE_UNIT }) })
  fc.assert(
    fc.property(anyNewLoan, fc.array(payment, { maxLength: 5 }), fc.nat(100), ({ loan }, payments, end) => {
      let atOnce = loan
      let daily = loan
      const waits = [...payments, { wait: end, amount: 0n }]
      for (const { wait, amount } of waits) {
        const until = after(atOnce, wait)
        let stepped = advance(daily, after(daily, 0))
        while (stepped.interestThrough < until) stepped = advance(stepped, after(stepped, 1))
        const whole = advance(atOnce, until)
        expect(state(stepped)).toEqual(state(whole))
        const paid = repay(whole, until, amount)
        if (paid.closed) return
        atOnce = { ...whole, debt: paid.debt, dues: paid.dues }
        daily = { ...stepped, debt: paid.debt, dues: paid.dues }
      }
    }),
    { numRuns: 60 },
  )
})

test('the same day again charges nothing, and neither does a day before', () => {
  fc.assert(
    fc.property(anyNewLoan, fc.nat(500), fc.nat(40), ({ loan }, days, back) => {
      const once = advance(loan, after(loan, days))
      const again = advance(once, after(loan, days))
      expect(state(again)).toEqual(state(once))
      expect(again.charged).toEqual([])
      expect(advance(once, addDays(once.interestThrough, -back)).debt).toEqual(once.debt)
    }),
    { numRuns: 60 },
  )
})

test('what was charged for each day sums to what is owed more', () => {
  fc.assert(
    fc.property(anyNewLoan, fc.nat(500), ({ loan }, days) => {
      const { charged, debt } = advance(loan, after(loan, days))
      const sum = charged.reduce((total, { interest, late }) => total + interest + late, 0n)
      expect(totalOf(debt)).toBe(totalOf(loan.debt) + sum)
      expect(charged.filter(({ interest }) => interest > 0n).length).toBeLessThanOrEqual(days)
      expect(debt.principal).toBe(loan.debt.principal)
    }),
    { numRuns: 60 },
  )
})

describe('late', () => {
  const loan = openLoan({ ...terms, rate_ppm: 0n }, 1_000n * WHOLE_UNIT, FIRST_DAY, 30)
  const late = (days: number) => advance(loan, addDays(FIRST_DAY, 30 + days))

  test('three days of grace, then half a thousandth for every day since the due date', () => {
    expect([0, 1, 3].map((days) => late(days).debt.charges)).toEqual([0n, 0n, 0n])
    expect([0, 1, 3].map((days) => late(days).overdue)).toEqual([false, true, true])
    expect([4, 5, 14].map((days) => late(days).debt.charges)).toEqual([
      2n * WHOLE_UNIT,
      25n * 10n ** 17n,
      7n * WHOLE_UNIT,
    ])
  })

  test('what is paid within the grace costs nothing, and what is paid later lowers the charges after it', () => {
    const third = late(3)
    const paid = repay(third, third.interestThrough, 600n * WHOLE_UNIT)
    const fourth = advance({ ...third, ...paid }, addDays(third.interestThrough, 1))
    expect(fourth.debt.charges).toBe((8n * WHOLE_UNIT) / 10n)
  })

  test('is simple: neither charges nor the interest since the due date are charged for', () => {
    const dear = advance(openLoan(terms, 1_000n * WHOLE_UNIT, FIRST_DAY, 30), addDays(FIRST_DAY, 30 + 40))
    const due = 1_000n * WHOLE_UNIT + dayInterest(1_000n * WHOLE_UNIT, terms.rate_ppm) * 30n
    expect(dear.dues[0]?.amount).toBe(due)
    const exact = (due * 500n * 40n) / 1_000_000n
    expect(dear.debt.charges - exact >= 0n && dear.debt.charges - exact <= 40n).toBe(true)
  })

  test('a day that has not come is not late, also when its interest is charged already', () => {
    const ahead = { ...loan, interestThrough: addDays(FIRST_DAY, 34) }
    expect(advance(ahead, addDays(FIRST_DAY, 33)).debt.charges).toBe(0n)
    expect(advance(ahead, addDays(FIRST_DAY, 34)).debt.charges).toBe(2n * WHOLE_UNIT)
  })

  test('default sixty days after the due date, and not before', () => {
    expect([late(59).defaulted, late(60).defaulted]).toEqual([false, true])
  })
})

test('the last due amount is all that was left when its day was over', () => {
  fc.assert(
    fc.property(anyNewLoan, ({ loan, ends }) => {
      const before = advance(loan, addDays(ends, -1))
      expect(before.dues.at(-1)?.amount).toBeNull()
      const last = advance(before, ends).dues
      const sum = last.reduce((total, { amount }) => total + (amount ?? 0n), 0n)
      expect(sum).toBe(before.debt.principal + before.debt.interest)
    }),
    { numRuns: 60 },
  )
})

test('a loan past its end stays overdue until nothing is owed, and defaults with a rest, too', () => {
  const loan = openLoan(terms, 1_000n * WHOLE_UNIT, FIRST_DAY, 30)
  const second = advance(loan, addDays(FIRST_DAY, 32))
  // All that was due on the due date; the interest of the two days since is left.
  const paid = repay(second, second.interestThrough, second.dues[0]?.amount ?? 0n)
  expect(totalOf(paid.debt)).toBe(2n * dayInterest(1_000n * WHOLE_UNIT, terms.rate_ppm))
  const later = advance({ ...second, debt: paid.debt, dues: paid.dues }, addDays(FIRST_DAY, 40))
  expect([later.overdue, later.defaulted, later.debt.charges]).toEqual([true, false, 0n])
  expect(advance(later, addDays(FIRST_DAY, 90)).defaulted).toBe(true)
})

test('no more can be late than what is owed', () => {
  fc.assert(
    fc.property(
      anyNewLoan,
      fc.nat(100),
      fc.bigInt({ min: 0n, max: 100n }),
      fc.nat(200),
      ({ loan, ends }, wait, percent, late) => {
        const first = advance(loan, after(loan, wait))
        const paid = repay(first, first.interestThrough, (totalOf(first.debt) * percent) / 100n)
        fc.pre(!paid.closed)
        const end = advance({ ...first, debt: paid.debt, dues: paid.dues }, addDays(ends, late))
        const missing = end.dues.reduce((sum, { amount, paid: part }) => sum + (amount ?? part) - part, 0n)
        expect(missing <= end.debt.principal + end.debt.interest).toBe(true)
      },
    ),
    { numRuns: 100 },
  )
  // Equal payments of 10, and interest that was spared: the last but one would be more than all that is left.
  const spared: Loan = {
    ...loanWithout(3n),
    debt: { principal: 4n, interest: 0n, charges: 0n },
  }
  const due = advance(spared, addDays(FIRST_DAY, 40))
  expect(due.dues.map(({ amount }) => amount)).toEqual([4n, 0n])
  // Nothing is left for the last one, so it costs no handling fee.
  expect(due.dues.map(({ fee }) => fee)).toEqual([3n, 0n])
  expect([due.overdue, daysBetween(FIRST_DAY, due.interestThrough)]).toEqual([true, 40])
})

const loanWithout = (fee: bigint): Loan => ({
  ...openLoan({ ...terms, rate_ppm: 0n }, 4n, FIRST_DAY, 30),
  dues: [30, 35].map((days, index) => ({
    number: index + 1,
    dueOn: addDays(FIRST_DAY, days),
    amount: index === 0 ? 10n : null,
    paid: 0n,
    fee,
    feePaid: 0n,
    lateThrough: null,
  })),
})
