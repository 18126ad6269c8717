import { addDays } from '@candela/protocol/calendar'
import { totalOf } from '@candela/protocol/lending/loan'
import { payoffOf } from '@candela/protocol/lending/repayment'
import { PPM, WHOLE_UNIT } from '@candela/protocol/units'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Posting } from '../../../../ledger/post.ts'
import { changesOf, timeOfPosting } from '../../../testing-postings.ts'
import { debtOf, loanOf, type LoanRecord, type LoanRow } from './loan-record.ts'
import {
  chargePostings,
  claimLegs,
  deficitPosting,
  liquidationPosting,
  loanPosting,
  pledgePosting,
  pledgeReturnPosting,
  repaymentPosting,
  sharesOfDebt,
  usdtOf,
} from './postings.ts'
import { chargeStep, endStep, paidOf, repayStep } from './steps.ts'

const OPENED = '2026-03-01'
const NOW = new Date(`${OPENED}T12:00:00Z`)

const loanWith = (lent: bigint, rate_ppm: number, reserve_ppm: number): LoanRecord => ({
  row: {
    id: 7n,
    loan_no: 'L7',
    member_id: 3n,
    kind: 'project',
    collateral_asset: 'JU',
    rate_ppm,
    initial_ppm: 500_000,
    safety_ppm: 700_000,
    clearing_ppm: 800_000,
    reserve_ppm,
    late_ppm: 500,
    grace_days: 3,
    default_days: 60,
    liquidation_fee_ppm: 20_000,
    full_below: 0n,
    installment_fee: 0n,
    principal: lent,
    interest_charged: 0n,
    interest_paid: 0n,
    late_charged: 0n,
    late_paid: 0n,
    collateral: 5n * WHOLE_UNIT,
    interest_through: OPENED,
    closed_at: null,
  } as LoanRow,
  dues: [{ number: 1, dueOn: addDays(OPENED, 30), amount: null, paid: 0n, fee: 0n, feePaid: 0n, lateThrough: null }],
})

const payments = fc.array(
  fc.record({ days: fc.integer({ min: 0, max: 40 }), amount: fc.bigInt({ min: 1n, max: 10n ** 21n }) }),
  { maxLength: 12 },
)

test('the ids of a loan’s postings begin with the request, the day or the liquidation that they are of, else with the day of the loan', () => {
  const loan = { ...loanWith(100n, 100_000, 0).row, loan_no: '20261201ABCDEFGHJK' }
  const request = '01a23059-a800-7abc-8def-0123456789ab'
  const [opened, asked] = [new Date('2026-12-01T00:00:00Z'), new Date('2026-12-01T06:45:11Z')]
  const paid = { interest: 0n, late: 0n }
  const parts = { principal: 1n, interest: 0n, charges: 0n, fees: 0n }
  const sale = { liquidationNo: '20261205ABCDEFGHJK', sold: 1n, parts, fee: 0n }
  const day = { day: '2026-12-03', interest: 9n, late: 9n }
  expect(timeOfPosting(loanPosting(loan, 1n, NOW))).toEqual(opened)
  expect(timeOfPosting(deficitPosting(loan, parts, NOW))).toEqual(opened)
  expect(timeOfPosting(pledgeReturnPosting(loan, 1n, 'end', NOW))).toEqual(opened)
  expect(timeOfPosting(pledgePosting(loan, 1n, request, NOW))).toEqual(asked)
  expect(timeOfPosting(repaymentPosting(loan, parts, paid, request, NOW))).toEqual(asked)
  expect(timeOfPosting(liquidationPosting(loan, sale, paid, NOW))).toEqual(new Date('2026-12-05T00:00:00Z'))
  const charged = chargePostings(loan, day, paid, NOW)
  expect(charged.map(timeOfPosting)).toEqual([new Date('2026-12-03T00:00:00Z'), new Date('2026-12-03T00:00:00Z')])
  expect(charged[0]?.id).not.toBe(charged[1]?.id)
})

test('whatever is charged and paid, the accounts of the loan are what its row says, and the parts add up', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 10n ** 22n }),
      fc.integer({ min: 0, max: Number(PPM) }),
      fc.integer({ min: 0, max: Number(PPM) }),
      payments,
      (lent, rate_ppm, reserve_ppm, sequence) => {
        let loan = loanWith(lent, rate_ppm, reserve_ppm)
        const legs = claimLegs(loan.row, lent)
        const take = (postings: readonly Posting[]) => legs.push(...postings.flatMap((posting) => posting.legs))
        let today = OPENED
        for (const { days, amount } of sequence) {
          today = addDays(today, days)
          const charged = chargeStep(loan, today, NOW)
          take(charged.postings)
          const repaid = repayStep(charged.loan, usdtOf(loan.row), amount, today)
          legs.push(...repaid.legs)
          expect(repaid.paid + repaid.rest).toBe(amount)
          loan = repaid.loan
        }
        const debt = debtOf(loan.row)
        const changes = changesOf(legs)
        expect(-(changes['loanPrincipal USDT'] ?? 0n)).toBe(debt.principal)
        expect(-(changes['loanInterest USDT'] ?? 0n)).toBe(debt.interest)
        expect(-(changes['loanCharges USDT'] ?? 0n)).toBe(debt.charges)
        const { fundPart, reservePart } = sharesOfDebt(loan.row, debt, paidOf(loan.row))
        expect(fundPart + reservePart).toBe(totalOf(debt))
        expect((changes['fundClaims USDT'] ?? 0n) + (changes['fundPending USDT'] ?? 0n)).toBe(fundPart)
        expect(changes['reserveClaims USDT'] ?? 0n).toBe(reservePart)

        const ended = endStep(loan, 'repaid', NOW)
        expect(ended.loan.row.state === 'repaid').toBe(totalOf(debt) === 0n)
        // The remaining debt can be paid in one payment, or be a deficit, and then nothing is left.
        const payoff = payoffOf(loanOf(loan), today)
        if (payoff === 0n) return
        const end = repayStep(loan, usdtOf(loan.row), payoff, today)
        const afterPayoff = changesOf([...legs, ...end.legs])
        expect(afterPayoff['loanInterest USDT'] ?? 0n).toBe(0n)
        expect(afterPayoff['reserveClaims USDT'] ?? 0n).toBe(0n)
        const deficit = changesOf([...legs, ...deficitPosting(loan.row, debt, NOW).legs])
        expect(deficit['deficit USDT']).toBe(-totalOf(debt))
        expect([deficit['loanPrincipal USDT'] ?? 0n, deficit['loanInterest USDT'] ?? 0n]).toEqual([0n, 0n])
      },
    ),
  )
})
