import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, daysBetween } from '../calendar.ts'
import { WHOLE_UNIT } from '../units.ts'
import { advance } from './advance.ts'
import { type Loan, totalOf } from './loan.ts'
import { payoffOf, repay } from './repayment.ts'
import { anyLent, anyNewLoan, anyTerms, FIRST_DAY, openLoan } from './testing.ts'

/** The whole life of a loan: days pass, payments come, and it ends with its pay-off. */

type Payment = { wait: number; amount: bigint }
const anyPayments = fc.array(
  fc.record({
    wait: fc.nat(60),
    amount: fc.oneof(fc.bigInt({ min: 1n, max: 10n * WHOLE_UNIT }), fc.bigInt({ min: 1n, max: 300_000n * WHOLE_UNIT })),
  }),
  { maxLength: 8 },
)

/** Pays as it is said, and what is left on the last day. */
function live(given: Loan, payments: readonly Payment[], lastWait: number) {
  let loan = given
  const sum = { paid: 0n, fees: 0n, interest: given.debt.interest, late: 0n, payments: 0 }
  for (const { wait, amount } of [...payments, { wait: lastWait, amount: null }]) {
    const day = addDays(loan.interestThrough, wait)
    const today = advance(loan, day)
    for (const charge of today.charged) {
      sum.interest += charge.interest
      sum.late += charge.late
    }
    const { parts, rest, debt, dues, closed } = repay(today, day, amount ?? payoffOf(today, day))
    sum.paid += (amount ?? payoffOf(today, day)) - rest
    sum.fees += parts.fees
    sum.payments += 1
    loan = { ...today, debt, dues }
    if (closed) break
  }
  return { loan, ...sum }
}

test('what was paid is what was lent, the interest, the late charges and the handling fees, to the unit', () => {
  fc.assert(
    fc.property(anyNewLoan, anyPayments, fc.nat(100), ({ loan, lent }, payments, lastWait) => {
      const life = live(loan, payments, lastWait)
      expect(totalOf(life.loan.debt)).toBe(0n)
      expect(life.paid).toBe(lent + life.interest + life.late + life.fees)
      expect(life.fees <= loan.dues.reduce((sum, { fee }) => sum + fee, 0n)).toBe(true)
    }),
    { numRuns: 60 },
  )
})

test('the interest is that of every day on the principal of that day, recomputed from the payments', () => {
  fc.assert(
    fc.property(anyTerms, anyLent, anyPayments, fc.nat(100), (of, lent, payments, lastWait) => {
      // Before the end, so that nothing is late: a payment takes interest first, then principal.
      const loan = openLoan(of, lent, FIRST_DAY, 1_000)
      let [principal, unpaid, charged, day] = [lent, 0n, 0n, 1]
      const perDay = () => (principal * of.rate_ppm + 364_999_999n) / 365_000_000n
      charged = unpaid = perDay()
      for (const { wait, amount } of payments) {
        charged += perDay() * BigInt(wait)
        unpaid += perDay() * BigInt(wait)
        day += wait
        if (amount >= principal + unpaid) {
          expect(live(loan, payments, lastWait).interest).toBe(charged)
          return
        }
        principal -= amount > unpaid ? amount - unpaid : 0n
        unpaid -= amount > unpaid ? unpaid : amount
      }
      charged += perDay() * BigInt(lastWait)
      const life = live(loan, payments, lastWait)
      expect([life.interest, life.late, life.fees]).toEqual([charged, 0n, 0n])
      expect(daysBetween(FIRST_DAY, life.loan.interestThrough)).toBe(day + lastWait)
    }),
    { numRuns: 60 },
  )
})

describe('early', () => {
  test('ending a loan costs at most what ending it later costs', () => {
    fc.assert(
      fc.property(anyNewLoan, anyPayments, fc.nat(300), fc.nat(300), ({ loan }, payments, early, more) => {
        const soon = live(loan, payments, early)
        const late = live(loan, payments, early + more)
        expect(soon.paid <= late.paid).toBe(true)
      }),
      { numRuns: 60 },
    )
  })

  test('each payment some days earlier never costs more in the end', () => {
    fc.assert(
      fc.property(anyNewLoan, anyPayments, fc.nat(7), fc.nat(60), ({ loan, ends }, payments, index, earlier) => {
        // Ending it on the same day of both lives, long after the last payment.
        const last = daysBetween(loan.interestThrough, ends) + 500
        const paying = (all: readonly Payment[]) =>
          live(loan, all, last - all.reduce((sum, { wait }) => sum + wait, 0)).paid
        const moved = payments.map((payment, at) => {
          const days = Math.min(earlier, payments[index]?.wait ?? 0)
          if (at === index) return { ...payment, wait: payment.wait - days }
          return at === index + 1 ? { ...payment, wait: payment.wait + days } : payment
        })
        // A payment that ends the loan before makes the comparison another one.
        fc.pre(live(loan, moved, 0).payments > payments.length && live(loan, payments, 0).payments > payments.length)
        // The late charge of each day is rounded up.
        expect(paying(moved) <= paying(payments) + 1_000n).toBe(true)
      }),
      { numRuns: 60 },
    )
  })
})
