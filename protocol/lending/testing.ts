import * as fc from 'fast-check'
import { addDays, addMonths } from '../calendar.ts'
import { WHOLE_UNIT } from '../units.ts'
import { dayInterest } from './interest.ts'
import type { Due, Loan, LoanTerms } from './loan.ts'
import { type InstallmentCount, installmentCounts, scheduleOf } from './schedule.ts'

/** Loans, amounts and prices for the tests of this folder. */

/** Amounts of any size up to a billion USDT: single base units, odd amounts and whole USDT. */
export const anyAmount = fc.oneof(
  fc.bigInt({ min: 1n, max: 1_000n }),
  fc.bigInt({ min: 1n, max: 10n ** 9n * WHOLE_UNIT }),
  fc.bigInt({ min: 1n, max: 1_000_000n }).map((whole) => whole * WHOLE_UNIT),
)

/** The least principal of a loan: 10 USDT. */
export const anyLent = fc.bigInt({ min: 10n * WHOLE_UNIT, max: 1_000_000n * WHOLE_UNIT })

/** USDT base units for a whole unit: from a ten-thousandth of a USDT to 100,000 USDT. */
export const anyPrice = fc.bigInt({ min: WHOLE_UNIT / 10_000n, max: 100_000n * WHOLE_UNIT })

export const anyRate = fc.bigInt({ min: 0n, max: 1_000_000n })

export const anyDay = fc.integer({ min: 0, max: 3_000 }).map((days) => addDays('2026-01-01', days))

/** Terms of a loan against JU, as the settings begin with. */
export const terms: LoanTerms = {
  rate_ppm: 120_000n,
  initial_ppm: 500_000n,
  safety_ppm: 700_000n,
  clearing_ppm: 800_000n,
  reserve_ppm: 100_000n,
  late_ppm: 500n,
  graceDays: 3,
  defaultDays: 60,
  liquidationFee_ppm: 20_000n,
  fullBelow: 2_000n * WHOLE_UNIT,
  installmentFee: WHOLE_UNIT,
}

export const anyTerms: fc.Arbitrary<LoanTerms> = fc
  .record({
    rate_ppm: anyRate,
    late_ppm: fc.bigInt({ min: 0n, max: 5_000n }),
    graceDays: fc.integer({ min: 0, max: 10 }),
    defaultDays: fc.integer({ min: 11, max: 90 }),
    installmentFee: fc.bigInt({ min: 0n, max: 2n * WHOLE_UNIT }),
  })
  .map((drawn) => ({ ...terms, ...drawn }))

const dueOf = (number: number, dueOn: string, amount: bigint | null, fee: bigint): Due => ({
  number,
  dueOn,
  amount,
  paid: 0n,
  fee,
  feePaid: 0n,
  lateThrough: null,
})

/** A loan as it is when it is opened: one day's interest is charged, everything is due at the end. */
export const openLoan = (of: LoanTerms, lent: bigint, openedOn: string, days: number): Loan => ({
  terms: of,
  debt: { principal: lent, interest: dayInterest(lent, of.rate_ppm), charges: 0n },
  collateral: lent * 2n,
  interestThrough: addDays(openedOn, 1),
  dues: [dueOf(1, addDays(openedOn, days), null, 0n)],
})

/** The loan turned into installments: the last takes all that is left. */
export function inInstallments(loan: Loan, from: string, count: InstallmentCount): Loan {
  const { principal, interest } = loan.debt
  const { rate_ppm, installmentFee: fee } = loan.terms
  const plan = scheduleOf({ principal, interest, rate_ppm, from, interestThrough: loan.interestThrough, count, fee })
  const dues = plan.map(({ number, dueOn, payment }) => dueOf(number, dueOn, number === count ? null : payment, fee))
  return { ...loan, dues }
}

/** A new loan on 31 January 2026, ordinary or in installments, and the day after its last due date. */
export const anyNewLoan = fc
  .record({
    terms: anyTerms,
    lent: anyLent,
    days: fc.constantFrom(7, 30, 90, 180, 360),
    count: fc.option(fc.constantFrom(...installmentCounts)),
  })
  .map(({ terms: of, lent, days, count }) => {
    const loan = openLoan(of, lent, FIRST_DAY, days)
    return count === null
      ? { loan, lent, ends: addDays(FIRST_DAY, days + 1) }
      : { loan: inInstallments(loan, FIRST_DAY, count), lent, ends: addDays(addMonths(FIRST_DAY, count), 1) }
  })

export const FIRST_DAY = '2026-01-31'
