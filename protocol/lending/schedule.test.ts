import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, addMonths, daysBetween } from '../calendar.ts'
import { WHOLE_UNIT } from '../units.ts'
import { advance } from './advance.ts'
import { dayInterest } from './interest.ts'
import { nextPayment, repay } from './repayment.ts'
import { installmentCounts, type ScheduleInput, scheduleOf } from './schedule.ts'
import { anyAmount, anyDay, anyLent, anyRate, anyTerms, inInstallments, openLoan } from './testing.ts'

const anyInput: fc.Arbitrary<ScheduleInput> = fc
  .record({
    principal: anyLent,
    interest: fc.oneof(fc.constant(0n), fc.bigInt({ min: 0n, max: 1_000n * WHOLE_UNIT })),
    rate_ppm: anyRate,
    from: anyDay,
    ahead: fc.integer({ min: 0, max: 1 }),
    count: fc.constantFrom(...installmentCounts),
    fee: fc.constant(WHOLE_UNIT),
  })
  .map(({ ahead, ...rest }) => ({ ...rest, interestThrough: addDays(rest.from, ahead) }))

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)

test('the principal parts sum to the principal, and every payment is its interest and its principal', () => {
  fc.assert(
    fc.property(fc.record({ input: anyInput, small: anyAmount }), ({ input, small }) => {
      for (const principal of [input.principal, small]) {
        const plan = scheduleOf({ ...input, principal })
        expect(plan).toHaveLength(input.count)
        expect(sum(plan.map((one) => one.principal))).toBe(principal)
        expect(plan.at(-1)?.left).toBe(0n)
        for (const one of plan) expect(one.payment).toBe(one.interest + one.principal)
      }
    }),
  )
})

test('all payments are equal but the last, which is not larger, and is smaller by what rounding leaves only', () => {
  fc.assert(
    fc.property(anyInput, (input) => {
      const payments = scheduleOf(input).map(({ payment }) => payment)
      const [equal = 0n] = payments
      const last = payments.at(-1) ?? 0n
      expect(new Set(payments.slice(0, -1)).size).toBe(1)
      expect(last <= equal).toBe(true)
      // One base unit less in each payment would make the last one larger than they are.
      expect(equal - last < 100n * BigInt(input.count)).toBe(true)
    }),
  )
})

test('the interest is that of every day on what is left, the unpaid interest so far with the first', () => {
  fc.assert(
    fc.property(anyInput, (input) => {
      let [left, through, unpaid] = [input.principal, input.interestThrough, input.interest]
      for (const one of scheduleOf(input)) {
        unpaid += dayInterest(left, input.rate_ppm) * BigInt(daysBetween(through, one.dueOn))
        const paid = one.payment < unpaid ? one.payment : unpaid
        expect(one.interest).toBe(paid)
        unpaid -= paid
        left -= one.principal
        expect(one.left).toBe(left)
        through = one.dueOn
      }
      expect(unpaid).toBe(0n)
    }),
  )
})

test('installments are due on the same day of each month, on its last day where it is shorter', () => {
  const plan = scheduleOf({
    principal: 900n * WHOLE_UNIT,
    interest: 0n,
    rate_ppm: 120_000n,
    from: '2026-01-31',
    interestThrough: '2026-02-01',
    count: 3,
    fee: WHOLE_UNIT,
  })
  expect(plan.map(({ dueOn }) => dueOn)).toEqual(['2026-02-28', '2026-03-31', '2026-04-30'])
  // 27, 31 and 30 days.
  expect(plan[0]?.interest).toBe(dayInterest(900n * WHOLE_UNIT, 120_000n) * 27n)
  fc.assert(
    fc.property(anyInput, (input) => {
      expect(scheduleOf(input).map(({ dueOn }) => dueOn)).toEqual(
        Array.from({ length: input.count }, (_, index) => addMonths(input.from, index + 1)),
      )
    }),
  )
})

test('without interest it is the debt in equal parts, rounded up', () => {
  const input = { interest: 0n, rate_ppm: 0n, from: '2026-01-31', interestThrough: '2026-01-31', count: 3, fee: 0n }
  const paymentsOf = (principal: bigint) => scheduleOf({ ...input, principal }).map(({ payment }) => payment)
  expect(paymentsOf(10n)).toEqual([4n, 4n, 2n])
  expect(paymentsOf(9n)).toEqual([3n, 3n, 3n])
  expect(paymentsOf(1n)).toEqual([1n, 0n, 0n])
  expect(() => paymentsOf(0n)).toThrow(RangeError)
  expect(() => scheduleOf({ ...input, principal: 1n, count: 0 })).toThrow(RangeError)
})

test('whoever pays each installment on its day pays exactly what the schedule said', () => {
  fc.assert(
    fc.property(
      fc.record({ terms: anyTerms, lent: anyLent, day: anyDay, count: fc.constantFrom(...installmentCounts) }),
      ({ terms, lent, day, count }) => {
        const opened = inInstallments(openLoan(terms, lent, day, 360), day, count)
        const { principal, interest } = opened.debt
        const { rate_ppm, installmentFee: fee } = terms
        const { interestThrough } = opened
        const plan = scheduleOf({ principal, interest, rate_ppm, from: day, interestThrough, count, fee })
        let loan = opened
        for (const one of plan) {
          const today = advance(loan, one.dueOn)
          expect([today.overdue, today.debt.charges]).toEqual([false, 0n])
          expect(nextPayment(today, one.dueOn)).toBe(one.payment + one.fee)
          const { parts, debt, dues, rest, closed } = repay(today, one.dueOn, one.payment + one.fee)
          expect(parts).toEqual({ charges: 0n, fees: one.fee, interest: one.interest, principal: one.principal })
          expect([rest, debt.principal, closed]).toEqual([0n, one.left, one.number === count])
          loan = { ...today, debt, dues }
        }
      },
    ),
    { numRuns: 40 },
  )
})
