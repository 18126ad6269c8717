import { addDays } from '@candela/protocol/calendar'
import { fromBaseUnits, toBaseUnits } from '@candela/protocol/money/money'
import { expect, test } from 'vitest'
import { refused } from '@candela/testing/server/refused'
import { FIRST_DAY, type Scenario, startLending, WHOLE } from './lending-scenario.ts'

type Position = {
  margin?: bigint
  ratio?: number
  days?: number
  minBought?: bigint
  acceptWarning?: boolean
  requestId?: string
}

async function open(lending: Scenario, memberId: bigint, position: Position = {}) {
  const input = {
    asset: 'JU' as const,
    margin: (position.margin ?? 100n) * WHOLE,
    ratio: position.ratio ?? 20,
    days: position.days ?? 30,
    minBought: position.minBought ?? 0n,
    acceptWarning: position.acceptWarning ?? false,
    requestId: position.requestId ?? lending.requestId(),
  }
  return (await lending.handlers['POST lever/open'](input, lending.contextOf(memberId))).loan
}

const close = (lending: Scenario, memberId: bigint, loanNo: string, percent: number, minProceeds = 1n) =>
  lending.handlers['POST lever/close'](
    { loanNo, percent, minProceeds, requestId: lending.requestId() },
    lending.contextOf(memberId),
  )

test('what was quoted is opened: margin and loan buy the collateral, in the ledger to the base unit', async () => {
  await using lending = await startLending()
  const { alice, handlers, contextOf } = lending
  const options = await handlers['GET lever/options']({}, contextOf(alice))
  expect(options).toMatchObject({
    termDays: [7, 30, 90],
    minRatio: '2',
    maxRatio: '4',
    minMargin: '10',
    available: '1000',
  })
  const input = { asset: 'JU' as const, margin: 100n * WHOLE, ratio: 30, days: 30 }
  const quote = await handlers['GET lever/quote'](input, contextOf(alice))
  expect(quote).toMatchObject({
    loan: '200',
    total: '300',
    fee: '0.45',
    bought: '149.55',
    ratio: '3',
    risk: 'medium',
    status: 'safe',
  })
  const stock = await lending.platform('deskInventory', 'JU')
  const requestId = lending.requestId()
  const loan = await open(lending, alice, { ratio: 30, minBought: toBaseUnits(quote.bought), requestId })
  expect(loan).toMatchObject({
    kind: 'lever',
    lent: quote.loan,
    collateral: quote.bought,
    interest: quote.interestPerDay,
    dueOn: quote.dueOn,
    safety: { mortgageRate: quote.mortgageRate, liquidationPrice: quote.liquidationPrice, status: 'safe' },
    lever: { margin: '100', ratio: '3', bought: quote.bought, buyPrice: quote.buyPrice },
  })
  expect(await open(lending, alice, { ratio: 30, minBought: toBaseUnits(quote.bought), requestId })).toEqual(loan)
  expect(await lending.available(alice, 'USDT')).toBe('900')
  expect(await lending.platform('deskInventory')).toBe('1000300')
  expect(toBaseUnits(stock) - toBaseUnits(await lending.platform('deskInventory', 'JU'))).toBe(150n * WHOLE)
  expect(await lending.platform('fees', 'JU')).toBe('0.45')
  expect(await lending.platform('fundClaims')).toBe('200')
  await lending.expectSound()
})

test('what is not allowed is refused, and nothing has happened', async () => {
  await using lending = await startLending({ fund: 500n })
  const { alice } = lending
  expect(await refused(open(lending, alice, { margin: 9n }))).toBe(4304)
  expect(await refused(open(lending, alice, { margin: 501n }))).toBe(4302)
  expect(await refused(open(lending, alice, { minBought: 100n * WHOLE }))).toBe(4204)
  // Bought at the higher and counted at the lower price, it begins above its safety line.
  lending.price('JU', 2_000, 2_000, 1_850)
  expect(await refused(open(lending, alice, { ratio: 40 }))).toBe(4301)
  expect(await refused(open(lending, alice, { ratio: 40, acceptWarning: true }))).toBe('accepted')
  lending.rates.JU.pauseReason = 'halted'
  expect(await refused(open(lending, alice))).toBe(5031)
  delete lending.rates.JU.pauseReason
  const poor = await lending.join({ USDT: 50n })
  expect(await refused(open(lending, poor))).toBe(4201)
  await lending.expectSound()
})

test('positions take of what the desk may trade in an hour, as exchanges do', async () => {
  await using lending = await startLending()
  const { alice } = lending
  // 1 % of it is 200 USDT an hour, which is all of the first position.
  lending.rates.JU.liquidity = 20_000n * WHOLE
  expect(await refused(open(lending, alice))).toBe('accepted')
  expect(await refused(open(lending, alice, { margin: 10n }))).toBe(4203)
  lending.rates.JU.liquidity = 22_000n * WHOLE
  expect(await refused(open(lending, alice, { margin: 10n }))).toBe('accepted')
  await lending.expectSound()
})

test('more margin moves the liquidation price down, and the whole debt paid returns what was bought', async () => {
  await using lending = await startLending()
  const { alice, handlers, contextOf } = lending
  const { loanNo, safety } = await open(lending, alice, { ratio: 40, acceptWarning: true })
  const add = (amount: bigint) =>
    handlers['POST lever/addMargin'](
      { loanNo, amount: amount * WHOLE, requestId: lending.requestId() },
      contextOf(alice),
    )
  const { loan } = await add(100n)
  expect(toBaseUnits(loan.safety.liquidationPrice ?? '')).toBeLessThan(toBaseUnits(safety.liquidationPrice ?? ''))
  expect((await add(400n)).loan.state).toBe('repaid')
  expect(await lending.available(alice, 'JU')).toBe('10199.4')
  expect(await refused(add(1n))).toBe(4303)
  const ordinary = await lending.borrow(alice, 100n, 100n)
  const input = { loanNo: ordinary.loanNo, amount: WHOLE, requestId: lending.requestId() }
  expect(await refused(handlers['POST lever/addMargin'](input, contextOf(alice)))).toBe(4303)
  await lending.expectSound()
})

test('half of a position is closed and then the rest, with its profit on the balance', async () => {
  await using lending = await startLending()
  const { alice, bob } = lending
  const { loanNo } = await open(lending, alice)
  lending.price('JU', 3_000)
  expect(await refused(close(lending, bob, loanNo, 50))).toBe(404)
  expect(await refused(close(lending, alice, loanNo, 50, 150n * WHOLE))).toBe(4204)
  const half = await close(lending, alice, loanNo, 50)
  // 49.85 JU at 3 USDT less 0.3 %.
  expect(half).toMatchObject({
    sold: '49.85',
    salePrice: '3',
    proceeds: '149.10135',
    loan: { state: 'active', collateral: '49.85' },
  })
  expect(toBaseUnits(half.returned)).toBe(toBaseUnits(half.proceeds) - toBaseUnits(half.repaid))
  const rest = await close(lending, alice, loanNo, 100)
  expect(rest.loan).toMatchObject({ state: 'repaid', collateral: '0' })
  const gained = toBaseUnits(half.returned) + toBaseUnits(rest.returned)
  expect(await lending.available(alice, 'USDT')).toBe(fromBaseUnits(900n * WHOLE + gained))
  expect(await lending.available(alice, 'JU')).toBe('10000')
  await lending.expectSound()
})

test('a part that brings less than its part of the debt is not closed; for all of it the balance pays the rest', async () => {
  await using lending = await startLending()
  const { alice } = lending
  const { loanNo } = await open(lending, alice)
  // 99.7 JU at 0.9 are 89.73, and 100 are owed.
  lending.price('JU', 900)
  expect(await refused(close(lending, alice, loanNo, 50))).toBe(4301)
  expect(await lending.available(alice, 'USDT')).toBe('900')
  expect((await close(lending, alice, loanNo, 100)).loan).toMatchObject({ state: 'repaid', collateral: '0' })
  expect(toBaseUnits(await lending.available(alice, 'USDT'))).toBeLessThan(890n * WHOLE)
  await lending.expectSound()
})

const closeQuote = (lending: Scenario, memberId: bigint, loanNo: string, percent: number) =>
  lending.handlers['GET lever/closeQuote']({ loanNo, percent }, lending.contextOf(memberId))

test('whoever has used up the hour of the desk keeps no position open: what repays its debt is sold outside of it', async () => {
  await using lending = await startLending()
  const { alice, bob } = lending
  const { loanNo } = await open(lending, alice, { ratio: 30 })
  const other = await open(lending, bob)
  // Nothing is left of the hour, as after a provider has left the pair.
  lending.clock.advance(2 * 3_600_000)
  lending.rates.JU.liquidity = 1n * WHOLE
  lending.rates.JU = { ...lending.rates.JU, day: 1_980 }
  const quote = await closeQuote(lending, alice, loanNo, 100)
  // 149.55 JU are locked. At 1.98 with a fee of 0.3 % some 101.4 repay 200.1.
  expect(quote).toMatchObject({
    part: '149.55',
    salePrice: '1.98',
    repaid: (await lending.payoff(alice, loanNo)).payoff,
  })
  expect(toBaseUnits(quote.sold)).toBeLessThan(102n * WHOLE)
  expect(await refused(close(lending, alice, loanNo, 100, toBaseUnits(quote.worth) + 1n))).toBe(4204)
  const half = await close(lending, alice, loanNo, 50)
  expect(half.loan.collateral).toBe(fromBaseUnits(toBaseUnits('149.55') - toBaseUnits(half.sold)))
  expect(half.salePrice).toBe('1.98')
  expect(toBaseUnits(half.returned)).toBeLessThan(5n)
  expect(toBaseUnits(half.repaid)).toBe((toBaseUnits(quote.repaid) + 1n) / 2n)
  const all = await close(lending, alice, loanNo, 100)
  expect(all.loan).toMatchObject({ state: 'repaid', collateral: '0' })
  expect(await lending.available(alice, 'JU')).toBe(fromBaseUnits(10_000n * WHOLE + toBaseUnits(all.kept)))
  // Nothing of it counts in the hour.
  expect(await lending.db.selectFrom('desk_flow').selectAll().where('net', '>', 0n).execute()).toEqual([])
  lending.rates.JU = { ...lending.rates.JU, liquidity: 10_000_000n * WHOLE }
  expect(await close(lending, bob, other.loanNo, 100)).toMatchObject({ salePrice: '2', kept: '0' })
  await lending.expectSound()
})

test('while the price is paused, who could be liquidated now can close, at the price of the liquidation; others cannot', async () => {
  await using lending = await startLending()
  const { alice, bob } = lending
  const near = await open(lending, alice, { ratio: 40, acceptWarning: true })
  const safe = await open(lending, bob)
  const sold = await open(lending, await lending.join({ USDT: 100n }), { ratio: 40, acceptWarning: true })
  lending.rates.JU = { spot: 1_600, average5: 1_640, average: 1_900, day: 1_950, pauseReason: 'halted' }
  expect(await refused(close(lending, bob, safe.loanNo, 100))).toBe(5031)
  expect(await refused(closeQuote(lending, bob, safe.loanNo, 100))).toBe(5031)
  // At 90 % of 199.4 JU; 300 are owed.
  expect((await lending.detail(alice, near.loanNo)).loan.safety.status).toBe('liquidating')
  const closed = await close(lending, alice, near.loanNo, 50)
  expect(closed).toMatchObject({ salePrice: '1.6' })
  // It is below its line again; the one that did not close is sold.
  expect(closed.loan.safety.status).toBe('warning')
  expect(await lending.watch()).toBe(1)
  expect(
    await lending.db
      .selectFrom('loan_liquidation')
      .innerJoin('loan', 'loan.id', 'loan_liquidation.loan_id')
      .select(['loan_no', 'sale_price'])
      .execute(),
  ).toEqual([{ loan_no: sold.loanNo, sale_price: (16n * WHOLE) / 10n }])
  lending.rates.JU.pauseReason = 'stale'
  expect(await refused(close(lending, bob, safe.loanNo, 100))).toBe(5031)
  await lending.expectSound()
})

test('at the end of its term, after the grace, the position is sold', async () => {
  await using lending = await startLending()
  const { alice } = lending
  const { loanNo, dueOn } = await open(lending, alice, { days: 7 })
  expect(dueOn).toBe(addDays(FIRST_DAY, 7))
  lending.goTo(addDays(dueOn, 3))
  expect(await lending.watch()).toBe(0)
  lending.goTo(addDays(dueOn, 4))
  expect(await lending.watch()).toBe(1)
  const { loan, liquidations } = await lending.detail(alice, loanNo)
  expect(loan.state).toBe('liquidated')
  expect(liquidations).toMatchObject([{ reason: 'term', full: true, shortfall: '0' }])
  await lending.expectSound()
})
