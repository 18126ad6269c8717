import { addDays } from '@candela/protocol/calendar'
import { planLiquidation } from '@candela/protocol/lending/liquidation'
import { toBaseUnits } from '@candela/protocol/money/money'
import { priceFell } from '@candela/protocol/fund/fund'
import { platformAccount } from '@candela/server/ledger/chart'
import { describe, expect, test } from 'vitest'
import { FIRST_DAY, type Scenario, startLending, WHOLE } from './lending-scenario.ts'

/** Lines of the project on JU: 50, 70 and 80 %. A loan of 1,000 on 1,000 JU reaches them at 1.429 and 1.25. */

const kindsOf = async (lending: Scenario, memberId: bigint) => (await lending.notices(memberId)).map(({ kind }) => kind)
const stateOf = async (lending: Scenario, memberId: bigint, loanNo: string) =>
  (await lending.detail(memberId, loanNo)).loan.state

describe('a margin call', () => {
  test('is sent once when the safety line is reached, and again after the loan was safe', async () => {
    await using lending = await startLending()
    const { alice } = lending
    const { loanNo } = await lending.borrow(alice, 1_000n, 1_000n)
    lending.price('JU', 1_430)
    await lending.watch()
    expect(await kindsOf(lending, alice)).toEqual([])
    lending.price('JU', 1_428)
    await lending.watch()
    await lending.watch()
    expect(await lending.notices(alice)).toMatchObject([
      { kind: 'marginCall', params: { loanNo, asset: 'JU', price: '1.428', liquidationPrice: '1.2503125' } },
    ])
    expect((await lending.detail(alice, loanNo)).loan).toMatchObject({ state: 'active', safety: { status: 'warning' } })
    lending.price('JU', 1_500)
    await lending.watch()
    lending.clock.advance(1_000)
    lending.price('JU', 1_400)
    await lending.watch()
    expect(await kindsOf(lending, alice)).toEqual(['marginCall', 'marginCall'])
  })

  test('counts as answered as soon as the price is above the line, and not before', async () => {
    await using lending = await startLending()
    const { alice } = lending
    await lending.borrow(alice, 1_000n, 1_000n)
    // At the line is reached: 1,000.25 of debt are 70 % of 1,000 JU at 1.428928….
    for (const price of [1_428, 1_429, 1_428]) {
      lending.price('JU', price)
      await lending.watch()
      lending.clock.advance(1_000)
    }
    expect(await kindsOf(lending, alice)).toEqual(['marginCall', 'marginCall'])
    await lending.watch()
    expect(await kindsOf(lending, alice)).toHaveLength(2)
  })

  test('waits while spot is far from the price, ten minutes in an hour', async () => {
    await using lending = await startLending()
    const { alice } = lending
    await lending.borrow(alice, 1_000n, 1_000n)
    // At the safety line, and spot is a fifth above it.
    lending.price('JU', 1_712, 1_428, 1_500)
    const sent = async () => {
      await lending.watch()
      return (await kindsOf(lending, alice)).length
    }
    expect(await sent()).toBe(0)
    lending.clock.advance(10 * 60_000 - 1)
    expect(await sent()).toBe(0)
    lending.clock.advance(1)
    expect(await sent()).toBe(1)
    lending.price('JU', 1_500)
    await lending.watch()
    lending.clock.advance(1_000)
    lending.price('JU', 1_712, 1_428, 1_500)
    expect(await sent()).toBe(2)
    lending.price('JU', 1_500)
    await lending.watch()
    lending.price('JU', 1_712, 1_428, 1_500)
    lending.clock.advance(50 * 60_000)
    expect(await sent()).toBe(2)
    lending.clock.advance(10 * 60_000)
    expect(await sent()).toBe(3)
  })

  test('is sent again after the loan was safe, also when an amount is late', async () => {
    await using lending = await startLending()
    const { alice } = lending
    const { dueOn } = await lending.borrow(alice, 1_000n, 1_000n)
    // 30 days of interest more.
    lending.goTo(addDays(dueOn, 1))
    for (const price of [1_430, 1_430, 1_500, 1_430]) {
      lending.price('JU', price)
      await lending.watch()
      lending.clock.advance(1_000)
    }
    expect(await kindsOf(lending, alice)).toEqual(['marginCall', 'marginCall'])
  })
})

describe('at the clearing line', () => {
  test('half of a large debt is repaid by selling collateral, with a report that anybody can recompute', async () => {
    await using lending = await startLending()
    const { alice } = lending
    const { loanNo } = await lending.borrow(alice, 4_000n, 4_000n)
    lending.price('JU', 1_250, 1_240, 1_300)
    expect(await lending.watch()).toBe(1)
    const { loan, liquidations } = await lending.detail(alice, loanNo)
    const [report] = liquidations
    expect(report).toMatchObject({
      reason: 'line',
      full: false,
      principal: '4000',
      interest: '1',
      watchPrice: '1.24',
      salePrice: '1.25',
      repaid: '2000.5',
      fee: '40.01',
      proceeds: '2040.51',
      sold: '1632.408',
      returned: '0',
      shortfall: '0',
      incomplete: false,
    })
    if (report === undefined) return
    const plan = planLiquidation({
      reason: 'line',
      debt: { principal: toBaseUnits(report.principal), interest: toBaseUnits(report.interest), charges: 0n },
      collateral: toBaseUnits(report.collateral),
      watchPrice: toBaseUnits(report.watchPrice),
      salePrice: toBaseUnits(report.salePrice),
      terms: { clearing_ppm: 800_000n, liquidationFee_ppm: 20_000n, fullBelow: 2_000n * WHOLE },
      deskUsdt: toBaseUnits(report.deskUsdt),
    })
    expect(plan).toMatchObject({ sold: toBaseUnits(report.sold), repaid: toBaseUnits(report.repaid), full: false })
    expect(loan).toMatchObject({ state: 'active', principal: '2000.5', interest: '0', collateral: '2367.592' })
    // 40.01 of the fee, and a tenth of the interest.
    expect(await lending.platform('reserve')).toBe('40.11')
    expect(await kindsOf(lending, alice)).toEqual(['loanLiquidated'])
    expect(await lending.watch()).toBe(0)
    await lending.expectSound()
  })

  test('a small debt, and one far beyond the line, is repaid in full, and the rest of the collateral returned', async () => {
    await using lending = await startLending()
    const { alice, bob } = lending
    const small = await lending.borrow(alice, 1_000n, 1_000n)
    const large = await lending.borrow(bob, 4_000n, 4_000n)
    lending.price('JU', 1_180)
    expect(await lending.watch()).toBe(2)
    expect((await lending.detail(alice, small.loanNo)).loan).toMatchObject({ state: 'liquidated', collateral: '0' })
    const { loan, liquidations } = await lending.detail(bob, large.loanNo)
    expect(loan).toMatchObject({ state: 'liquidated', principal: '0', payoff: '0' })
    expect(liquidations).toMatchObject([{ full: true, repaid: '4001', fee: '80.02' }])
    const returned = toBaseUnits(liquidations[0]?.returned ?? '0')
    expect(toBaseUnits(await lending.available(bob, 'JU'))).toBe(6_000n * WHOLE + returned)
    expect(returned).toBeGreaterThan(0n)
    await lending.expectSound()
  })

  test('one pushed block sells nothing, a stale price decides nothing, and a halted one still does', async () => {
    await using lending = await startLending()
    const { loanNo } = await lending.borrow(lending.alice, 1_000n, 1_000n)
    lending.price('JU', 1_000, 1_900, 1_900)
    expect(await lending.watch()).toBe(0)
    lending.rates.JU = { spot: 1_000, average5: 1_000, average: 1_000, pauseReason: 'stale' }
    expect(await lending.watch()).toBe(0)
    expect((await lending.detail(lending.alice, loanNo)).loan.safety).toMatchObject({
      mortgageRate: null,
      status: null,
    })
    expect(await stateOf(lending, lending.alice, loanNo)).toBe('active')
    lending.rates.JU.pauseReason = 'halted'
    expect(await lending.watch()).toBe(1)
    await lending.expectSound()
  })

  test('a desk that is short sells what it can and goes on when it has money again', async () => {
    await using lending = await startLending({ desk: 300n })
    const { alice } = lending
    const { loanNo } = await lending.borrow(alice, 1_000n, 1_000n)
    lending.price('JU', 1_100)
    expect(await lending.watch()).toBe(1)
    expect((await lending.detail(alice, loanNo)).liquidations).toMatchObject([{ incomplete: true, proceeds: '300' }])
    expect(await stateOf(lending, alice, loanNo)).toBe('liquidating')
    expect(await lending.watch()).toBe(0)
    expect(await stateOf(lending, alice, loanNo)).toBe('liquidating')
    // A price that has recovered ends it, and one that falls again begins it anew.
    lending.price('JU', 2_000)
    expect(await lending.watch()).toBe(0)
    expect(await stateOf(lending, alice, loanNo)).toBe('active')
    lending.price('JU', 1_100)
    await lending.expectSound()
    await lending.put(platformAccount('deskInventory', 'USDT'), 'USDT', 10_000n * WHOLE)
    expect(await lending.watch()).toBe(1)
    expect(await stateOf(lending, alice, loanNo)).toBe('liquidated')
    await lending.expectSound()
  })

  test('a shortfall is a deficit: the reserve pays first, then the share price falls, and both are recorded', async () => {
    await using lending = await startLending()
    const { alice, fay, handlers, contextOf } = lending
    await lending.put(platformAccount('reserve', 'USDT'), 'USDT', 100n * WHOLE)
    const { loanNo } = await lending.borrow(alice, 1_000n, 1_000n)
    const before = await handlers['GET finance/info']({}, contextOf(fay))
    lending.price('JU', 500)
    expect(await lending.watch()).toBe(1)
    const { loan, liquidations } = await lending.detail(alice, loanNo)
    expect(loan).toMatchObject({ state: 'written-off', payoff: '0', collateral: '0' })
    const [report] = liquidations
    // Principal that nothing was left for was not repaid.
    const parts = [loan.principalRepaid, loan.principalWrittenOff].map((text) => toBaseUnits(text))
    expect(parts[1]).toBe(toBaseUnits(report?.shortfall ?? '0'))
    expect(parts[0]! + parts[1]!).toBe(toBaseUnits('1000'))
    // 500 USDT for the collateral; the fee is part of them.
    expect(report).toMatchObject({ full: true, sold: '1000', proceeds: '500', returned: '0' })
    const figures = [report?.repaid, report?.shortfall].map((text) => toBaseUnits(text ?? '0'))
    expect(figures[0]! + figures[1]!).toBe(toBaseUnits('1000.25'))
    const info = await handlers['GET finance/info']({}, contextOf(fay))
    const lost = toBaseUnits(report?.fundLost ?? '0')
    expect(lost).toBeGreaterThan(0n)
    expect(toBaseUnits(before.fund.assets) - toBaseUnits(info.fund.assets)).toBeLessThanOrEqual(lost)
    expect(toBaseUnits(info.price)).toBeLessThan(toBaseUnits(before.price))
    expect(await lending.db.selectFrom('fund_price').select(['reason', 'loan_no']).execute()).toEqual([
      { reason: 'deficit', loan_no: loanNo },
    ])
    expect(await lending.platform('deficit')).toBe('0')
    expect(await lending.platform('reserve')).toBe('0')
    await lending.expectSound()
    await lending.closeDay(FIRST_DAY)
    const after = await handlers['GET finance/info']({}, contextOf(fay))
    const state = ({ fund }: typeof info) => ({ assets: toBaseUnits(fund.assets), shares: toBaseUnits(fund.shares) })
    expect(priceFell(state(info), state(after))).toBe(false)
    await lending.expectSound()
  })

  test('many loans at once, watched by several at the same time, are each liquidated once', async () => {
    await using lending = await startLending({ poolSize: 16 })
    for (let nth = 0; nth < 60; nth += 1) {
      await lending.borrow(nth % 2 === 0 ? lending.alice : lending.bob, 100n, 100n)
      if (nth === 30)
        await lending.db
          .insertInto('setting')
          .values({ key: 'openLoans', value: '100', updated_at: lending.clock.now() })
          .execute()
    }
    lending.price('JU', 1_100)
    const done = await Promise.all(Array.from({ length: 4 }, () => lending.watch()))
    expect(done.reduce((sum, one) => sum + one, 0)).toBe(60)
    const reports = await lending.db.selectFrom('loan_liquidation').select('loan_id').execute()
    expect(new Set(reports.map(({ loan_id }) => loan_id)).size).toBe(60)
    expect(reports).toHaveLength(60)
    await lending.expectSound()
  })
})

test('a loan in default is sold, though its collateral is worth enough', async () => {
  await using lending = await startLending()
  const { alice } = lending
  const { loanNo, dueOn } = await lending.borrow(alice, 1_000n, 1_000n)
  lending.goTo(addDays(dueOn, 59))
  expect(await lending.watch()).toBe(0)
  lending.goTo(addDays(dueOn, 60))
  expect(await lending.watch()).toBe(1)
  const { loan, liquidations } = await lending.detail(alice, loanNo)
  expect(loan.state).toBe('liquidated')
  expect(liquidations).toMatchObject([{ reason: 'default', full: true }])
  await lending.expectSound()
})
