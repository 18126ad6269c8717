import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays } from '../../calendar.ts'
import { PPM, WHOLE_UNIT } from '../../units.ts'
import { advance } from '../advance.ts'
import { type LeverInput, leverTerms, leverTermsOf, MAX_RATIO_TENTHS, MIN_RATIO_TENTHS, riskOf } from './leverage.ts'
import { reaches, safetyStatus } from '../lines.ts'
import { totalOf } from '../loan.ts'
import { anyPrice, FIRST_DAY, openLoan, terms } from '../testing.ts'

const lines = { safety_ppm: 800_000n, clearing_ppm: 900_000n }

const anyInput: fc.Arbitrary<LeverInput> = fc.record({
  margin: fc.bigInt({ min: 10n * WHOLE_UNIT, max: 1_000_000n * WHOLE_UNIT }),
  ratio_tenths: fc.integer({ min: MIN_RATIO_TENTHS, max: MAX_RATIO_TENTHS }),
  buyPrice: anyPrice,
  fee_ppm: fc.bigInt({ min: 0n, max: 10_000n }),
  debtPrice: anyPrice,
  rate_ppm: fc.bigInt({ min: 0n, max: 1_000_000n }),
  days: fc.constantFrom(...leverTerms),
  lines: fc.constant(lines),
})

test('100 USDT three times at 18 %: 200 borrowed, 300 spent, all figures', () => {
  const opened = leverTermsOf({
    margin: 100n * WHOLE_UNIT,
    ratio_tenths: 30,
    buyPrice: WHOLE_UNIT / 2n,
    fee_ppm: 3_000n,
    debtPrice: WHOLE_UNIT / 2n,
    rate_ppm: 180_000n,
    days: 30,
    lines,
  })
  expect(opened).toMatchObject({
    loan: 200n * WHOLE_UNIT,
    total: 300n * WHOLE_UNIT,
    bought: 598_200_000_000_000_000_000n,
    fee: 1_800_000_000_000_000_000n,
    interestPerDay: 98630136986301370n,
    interest: 2_958904109589041100n,
    repayment: 202_958904109589041100n,
    rate: 669_002n,
    status: 'safe',
    risk: 'medium',
  })
})

test('the loan is margin × (ratio − 1), and margin and loan buy the collateral, less the fee', () => {
  fc.assert(
    fc.property(anyInput, (input) => {
      const { loan, total, bought, fee, repayment, interest, interestPerDay } = leverTermsOf(input)
      const under = input.margin * BigInt(input.ratio_tenths - 10) - loan * 10n
      expect(under >= 0n && under < 10n).toBe(true)
      expect(total).toBe(input.margin + loan)
      const spent = (bought + fee) * input.buyPrice
      expect(spent <= total * WHOLE_UNIT && total * WHOLE_UNIT - spent < input.buyPrice).toBe(true)
      const over = fee * PPM - (bought + fee) * input.fee_ppm
      expect(over > -PPM && over < PPM).toBe(true)
      expect(interest).toBe(interestPerDay * BigInt(input.days))
      expect(repayment).toBe(loan + interest)
    }),
  )
})

test('its rate, status and liquidation price are those of the loan on its first day', () => {
  fc.assert(
    fc.property(anyInput, (input) => {
      const opened = leverTermsOf(input)
      const loan = openLoan({ ...terms, rate_ppm: input.rate_ppm }, opened.loan, FIRST_DAY, input.days)
      const secured = { debt: totalOf(loan.debt), collateral: opened.bought }
      expect(opened.status).toBe(safetyStatus(secured, input.debtPrice, lines))
      expect(reaches(secured, opened.liquidationPrice, lines.clearing_ppm)).toBe(true)
      expect(reaches(secured, opened.liquidationPrice + 1n, lines.clearing_ppm)).toBe(false)
      expect(opened.fall > 0n).toBe((input.debtPrice - opened.liquidationPrice) * PPM >= input.debtPrice)
      expect((opened.rate ?? PPM) >= lines.clearing_ppm).toBe(opened.status === 'liquidating')
    }),
  )
})

test('the total repayment is what is owed on the last day of the term', () => {
  fc.assert(
    fc.property(anyInput, (input) => {
      const { loan, repayment } = leverTermsOf(input)
      const opened = openLoan({ ...terms, rate_ppm: input.rate_ppm }, loan, FIRST_DAY, input.days)
      const ended = advance(opened, addDays(FIRST_DAY, input.days))
      expect([totalOf(ended.debt), ended.overdue]).toEqual([repayment, false])
    }),
    { numRuns: 40 },
  )
})

test('2 times and less is low risk, more than 3 times is high', () => {
  expect([20, 21, 30, 31, 40].map(riskOf)).toEqual(['low', 'medium', 'medium', 'high', 'high'])
})

test('terms that nothing can be bought with are refused', () => {
  const [input] = fc.sample(anyInput, { numRuns: 1, seed: 1 })
  if (input === undefined) throw new Error('nothing drawn')
  for (const wrong of [{ margin: 0n }, { margin: -1n }, { days: 0 }, { buyPrice: 0n }, { buyPrice: 10n ** 60n }]) {
    expect(() => leverTermsOf({ ...input, ...wrong }), Object.keys(wrong).join()).toThrow(RangeError)
  }
})
