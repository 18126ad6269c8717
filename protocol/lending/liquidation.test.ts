import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mulDiv } from '../money/money.ts'
import { PPM, WHOLE_UNIT } from '../units.ts'
import { collateralValue, priceAtLine, reaches } from './lines.ts'
import { isFull, type LiquidationInput, planLiquidation } from './liquidation.ts'
import { totalOf } from './loan.ts'
import { anyAmount, anyPrice, terms } from './testing.ts'

const usdt = (whole: bigint): bigint => whole * WHOLE_UNIT
const RICH = 10n ** 40n

const anyDebt = fc.record({
  principal: fc.oneof(fc.constant(0n), anyAmount),
  interest: fc.oneof(fc.constant(0n), anyAmount),
  charges: fc.oneof(fc.constant(0n), anyAmount),
})

/** Debts near their clearing line and far from it, desks that are short and rich. */
const anyInput: fc.Arbitrary<LiquidationInput> = fc
  .record({
    reason: fc.constantFrom('line' as const, 'line' as const, 'default' as const, 'term' as const),
    debt: anyDebt,
    collateral: fc.oneof(fc.constant(0n), anyAmount),
    watchPrice: fc.oneof(anyPrice, fc.constant(null)),
    near: fc.bigInt({ min: 600_000n, max: 1_050_000n }),
    spread: fc.bigInt({ min: 500_000n, max: 1_000_000n }),
    deskUsdt: fc.oneof(fc.constant(RICH), fc.constant(0n), anyAmount),
    fee: fc.bigInt({ min: 0n, max: 200_000n }),
  })
  .map(({ near, spread, watchPrice: drawn, fee, ...rest }) => {
    const secured = { debt: totalOf(rest.debt), collateral: rest.collateral }
    const border = priceAtLine(secured, terms.clearing_ppm) ?? 0n
    const watchPrice = drawn ?? (border * near) / PPM + 1n
    const salePrice = (watchPrice * spread) / PPM + 1n
    return { ...rest, watchPrice, salePrice, terms: { ...terms, liquidationFee_ppm: fee } }
  })

const planned = fc.record({ input: anyInput }).map(({ input }) => ({ input, plan: planLiquidation(input) }))

test('nothing is sold above the line or without a debt, and something is planned whenever the line is reached', () => {
  fc.assert(
    fc.property(planned, ({ input, plan }) => {
      const total = totalOf(input.debt)
      const reached = reaches({ debt: total, collateral: input.collateral }, input.watchPrice, terms.clearing_ppm)
      expect(plan === null).toBe(total === 0n || (input.reason === 'line' && !reached))
    }),
  )
})

test('what is repaid and the fee are what the desk pays, at most what it has and what the collateral is worth', () => {
  fc.assert(
    fc.property(planned, ({ input, plan }) => {
      fc.pre(plan !== null)
      const { sold, proceeds, repaid, fee, returned, target } = plan
      expect(repaid + fee).toBe(proceeds)
      for (const amount of [sold, proceeds, repaid, fee, returned]) expect(amount >= 0n).toBe(true)
      expect(sold + returned <= input.collateral).toBe(true)
      expect(repaid <= target && target <= totalOf(input.debt)).toBe(true)
      expect(proceeds <= input.deskUsdt).toBe(true)
      expect(proceeds <= collateralValue(sold, input.salePrice)).toBe(true)
      // The fee is that of what is repaid, over it by the rounding of one amount at most.
      const rate = input.terms.liquidationFee_ppm
      const over = fee * PPM - repaid * rate
      expect(over >= 0n && over < PPM + rate).toBe(true)
    }),
  )
})

test('no more collateral is sold than pays the target and its fee', () => {
  fc.assert(
    fc.property(planned, ({ input, plan }) => {
      fc.pre(plan !== null && plan.sold > 0n)
      // All of it when even all of it is too little; else one base unit less would not be enough.
      if (plan.sold < input.collateral) {
        expect(collateralValue(plan.sold - 1n, input.salePrice) < plan.proceeds).toBe(true)
      }
      const wanted = plan.target + (plan.target * input.terms.liquidationFee_ppm + PPM - 1n) / PPM
      expect(plan.proceeds <= wanted).toBe(true)
      if (plan.repaid < plan.target) expect(plan.incomplete || plan.sold === input.collateral).toBe(true)
    }),
  )
})

test('a shortfall is what is left of the debt when the collateral is gone, and nothing else is one', () => {
  fc.assert(
    fc.property(planned, ({ input, plan }) => {
      fc.pre(plan !== null)
      const left = totalOf(input.debt) - plan.repaid
      const gone = plan.sold === input.collateral
      expect(plan.shortfall).toBe(gone ? left : 0n)
      expect(plan.returned).toBe(left === 0n ? input.collateral - plan.sold : 0n)
      expect(plan.incomplete).toBe(!gone && plan.repaid < plan.target)
      if (!plan.incomplete) return
      // A desk whose money would go into the fee alone buys nothing.
      const repaysNothing = mulDiv(input.deskUsdt, PPM, PPM + input.terms.liquidationFee_ppm) === 0n
      expect(plan.proceeds).toBe(repaysNothing ? 0n : input.deskUsdt)
    }),
  )
  // Half of the debt takes the collateral to its last unit: the other half has nothing left.
  const half = { ...loanOf(5_000n), salePrice: (usdt(1n) * 408n) / 1_000n }
  const plan = planLiquidation(half)
  expect(plan).toMatchObject({ full: false, sold: half.collateral })
  expect(plan?.shortfall).toBe(usdt(5_000n) - (plan?.repaid ?? 0n))
})

/** So much debt against 6,250 JU at 1 USDT: 5,000 are 80 %. */
const loanOf = (debt: bigint): LiquidationInput => ({
  reason: 'line',
  debt: { principal: usdt(debt), interest: 0n, charges: 0n },
  collateral: usdt(6_250n),
  watchPrice: usdt(1n),
  salePrice: usdt(1n),
  terms,
  deskUsdt: RICH,
})

describe('half or all', () => {
  test('half at the clearing line, all from clearing line ÷ 0.95 on, below 2,000 USDT, on default and at the end', () => {
    expect(planLiquidation(loanOf(4_999n))).toBeNull()
    expect(planLiquidation(loanOf(5_000n))).toMatchObject({
      full: false,
      repaid: usdt(2_500n),
      fee: usdt(50n),
      sold: usdt(2_550n),
      returned: 0n,
    })
    // 80 % ÷ 0.95 = 84.2105… %, which is reached at 5,263.157… USDT.
    expect(planLiquidation(loanOf(5_263n))).toMatchObject({ full: false })
    expect(planLiquidation(loanOf(5_264n))).toMatchObject({ full: true, repaid: usdt(5_264n) })
    expect(planLiquidation({ ...loanOf(1_999n), watchPrice: usdt(1n) / 3n })).toMatchObject({ full: true })
    const small = { ...loanOf(2_000n), collateral: usdt(2_500n) }
    expect(planLiquidation(small)).toMatchObject({ full: false })
    expect(planLiquidation({ ...small, debt: { ...small.debt, principal: usdt(2_000n) - 1n } })).toBeNull()
    const below = { ...small, watchPrice: usdt(1n) - 1n, debt: { ...small.debt, principal: usdt(2_000n) - 1n } }
    expect(planLiquidation(below)).toMatchObject({ full: true })
    for (const reason of ['default', 'term'] as const) {
      expect(planLiquidation({ ...loanOf(100n), reason })).toMatchObject({
        full: true,
        repaid: usdt(100n),
        returned: usdt(6_250n - 102n),
      })
      // Also where half would be enough of a loan at the line.
      expect(planLiquidation({ ...loanOf(3_000n), reason })).toMatchObject({ full: true, repaid: usdt(3_000n) })
    }
  })

  test('half is rounded up, and all is the debt', () => {
    const odd = { ...loanOf(5_000n), debt: { principal: usdt(5_000n), interest: 1n, charges: 0n } }
    expect(planLiquidation(odd)).toMatchObject({ full: false, target: usdt(2_500n) + 1n, repaid: usdt(2_500n) + 1n })
    fc.assert(
      fc.property(planned, ({ input, plan }) => {
        fc.pre(plan !== null)
        const total = totalOf(input.debt)
        expect(plan.full).toBe(isFull(input))
        expect(plan.target).toBe(plan.full ? total : total - total / 2n)
      }),
    )
  })

  test('a desk that is short sells what it can pay for, and the rest waits', () => {
    const plan = planLiquidation({ ...loanOf(5_000n), deskUsdt: usdt(102n) })
    expect(plan).toMatchObject({ repaid: usdt(100n), fee: usdt(2n), sold: usdt(102n), incomplete: true, shortfall: 0n })
    expect(planLiquidation({ ...loanOf(5_000n), deskUsdt: 0n })).toMatchObject({ sold: 0n, incomplete: true })
  })
})

test('a partial liquidation lowers the rate, when the collateral sells for more than the debt and its fee', () => {
  const halves = fc
    .record({
      principal: fc.bigInt({ min: usdt(2_000n), max: usdt(10n ** 6n) }),
      watchPrice: anyPrice,
      // The debt in millionths of the clearing line, up to ÷ 0.95; and the sale price in millionths of the watch price.
      beyond: fc.bigInt({ min: 1_000_000n, max: 1_052_000n }),
      spread: fc.bigInt({ min: 900_000n, max: 1_000_000n }),
      deskUsdt: fc.oneof(fc.constant(RICH), fc.bigInt({ min: usdt(1n), max: usdt(1_000n) })),
    })
    .map(({ beyond, spread, watchPrice, ...rest }) => ({
      ...loanOf(0n),
      debt: { principal: rest.principal, interest: 0n, charges: 0n },
      collateral: (rest.principal * WHOLE_UNIT * PPM * PPM) / (watchPrice * terms.clearing_ppm * beyond),
      watchPrice,
      salePrice: (watchPrice * spread) / PPM,
      deskUsdt: rest.deskUsdt,
    }))
  fc.assert(
    fc.property(halves, (input) => {
      const plan = planLiquidation(input)
      if (plan === null) throw new Error('the clearing line is reached')
      expect([plan.full, plan.shortfall]).toEqual([false, 0n])
      const [debt, collateral] = [input.debt.principal - plan.repaid, input.collateral - plan.sold]
      expect(debt * input.collateral < input.debt.principal * collateral).toBe(true)
    }),
  )
})
