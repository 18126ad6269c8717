import { expect, test } from 'vitest'
import { addDays } from '../calendar.ts'
import { WHOLE_UNIT } from '../units.ts'
import { advance } from './advance.ts'
import { creditLimit, type Offer } from './assets.ts'
import type { Loan } from './loan.ts'
import { repay } from './repayment.ts'
import { scheduleOf } from './schedule.ts'
import { FIRST_DAY, inInstallments, openLoan, terms } from './testing.ts'

/** The work of the computations that loop is counted, by how often they read their input. All others have no loop. */

/** The same object, and how often something of it was read. */
function counted<Value extends object>(value: Value): { value: Value; reads: () => number } {
  let reads = 0
  const proxy = new Proxy(value, {
    get: (target, key, receiver) => {
      reads += 1
      return Reflect.get(target, key, receiver)
    },
  })
  return { value: proxy, reads: () => reads }
}

const loanOf = (days: number): Loan => openLoan(terms, 1_000n * WHOLE_UNIT, FIRST_DAY, days)

/** How often the terms and the due amounts of a loan are read while it is advanced by so many days. */
function readsOfAdvance(loan: Loan, days: number): number {
  const dues = loan.dues.map((due) => counted(due))
  const all = counted(loan.terms)
  advance({ ...loan, terms: all.value, dues: dues.map(({ value }) => value) }, addDays(loan.interestThrough, days))
  return dues.reduce((sum, { reads }) => sum + reads(), all.reads())
}

test('a loan is advanced with the same work for each day', () => {
  const loan = loanOf(10_000)
  const [few, many] = [readsOfAdvance(loan, 10), readsOfAdvance(loan, 1_000)]
  expect(few).toBeGreaterThan(10)
  expect(many).toBeLessThanOrEqual(few * 100)
  expect(many).toBeLessThan(10 * 1_000)
  // Twelve installments: a few reads of each for each day.
  const reads = readsOfAdvance(inInstallments(loan, FIRST_DAY, 12), 300)
  expect(reads).toBeGreaterThan(300)
  expect(reads).toBeLessThan(300 * (12 * 10 + 10))
})

test('a loan that is up to date costs a look at its due amounts', () => {
  expect(readsOfAdvance(inInstallments(loanOf(360), FIRST_DAY, 12), 0)).toBeLessThan(12 * 10)
})

test('a payment looks at each due amount a few times', () => {
  const loan = inInstallments(loanOf(360), FIRST_DAY, 12)
  const dues = loan.dues.map((due) => counted(due))
  repay({ debt: loan.debt, dues: dues.map(({ value }) => value) }, addDays(FIRST_DAY, 90), 500n * WHOLE_UNIT)
  for (const { reads } of dues) {
    expect(reads()).toBeGreaterThan(0)
    expect(reads()).toBeLessThan(40)
  }
})

test('a schedule is found in as many steps as its payment has binary digits', () => {
  for (const principal of [1_000n * WHOLE_UNIT, 10n ** 9n * WHOLE_UNIT]) {
    const from = FIRST_DAY
    const input = { principal, interest: 0n, rate_ppm: 120_000n, from, interestThrough: from, count: 12, fee: 0n }
    const { value, reads } = counted(input)
    scheduleOf(value)
    const digits = (principal * 2n).toString(2).length
    expect(reads()).toBeGreaterThan(digits)
    expect(reads()).toBeLessThan(4 * (digits + 4))
  }
})

test('a credit limit looks at each offer a few times', () => {
  const offers = Array.from({ length: 200 }, (_, index) =>
    counted<Offer>({ collateralAsset: 'JU', initial_ppm: BigInt(1 + ((index * 37) % 200)), available: 1n }),
  )
  const available = { JU: 10n ** 30n, HASH: 0n }
  const all = offers.map(({ value }) => value)
  creditLimit(available, { JU: WHOLE_UNIT, HASH: WHOLE_UNIT }, all, 10n ** 40n, { JU: 10n ** 40n, HASH: 10n ** 40n })
  const reads = offers.reduce((sum, one) => sum + one.reads(), 0)
  expect(reads).toBeGreaterThan(200)
  // Sorted by comparisons: 200 × log2(200) of them, some reads each.
  expect(reads).toBeLessThan(200 * 8 * 8)
})
