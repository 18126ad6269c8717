import { addDays } from '@candela/protocol/calendar'
import { totalAssets } from '@candela/protocol/lending/assets'
import { fromBaseUnits, toBaseUnits } from '@candela/protocol/money/money'
import { getOverview } from '@candela/server/modules/home/overview'
import { expect, test } from 'vitest'
import { FIRST_DAY, startLending, WHOLE } from './lending-scenario.ts'

test('the home screen adds up what a member has, owes and could borrow', async () => {
  await using lending = await startLending()
  const { alice, fay, db } = lending
  const overview = (memberId: bigint) => getOverview(db, { memberId, now: lending.clock.now() })
  // 10,000 JU at 2, 10,000 HASH at 0.5 and 1,000 USDT; half of the JU and 40 % of the HASH can be lent on.
  expect(await overview(alice)).toMatchObject({
    level: 0,
    totalAssets: '26000',
    accountBalance: '26000',
    creditLimit: '12000',
    loanAmount: '0',
    financialAmount: '0',
    mortgage: null,
    openLoans: 0,
    nextRepayment: null,
  })
  expect(await overview(fay)).toMatchObject({ totalAssets: '100000', accountBalance: '0', financialAmount: '100000' })
  const safe = await lending.borrow(alice, 100n, 1_000n, { days: 30 })
  const near = await lending.borrow(alice, 1_000n, 1_000n, { days: 90 })
  const home = await overview(alice)
  expect(home).toMatchObject({
    loanAmount: '1100.275',
    totalAssets: '25999.725',
    creditLimit: '10000',
    collateral: { JU: '2000', HASH: '0' },
    openLoans: 2,
    mortgage: { loanNo: near.loanNo, kind: 'project', safetyLine: '0.7', safety: { status: 'safe' } },
    nextRepayment: { loanNo: safe.loanNo, dueOn: addDays(FIRST_DAY, 30), amount: '100.025' },
  })
  const [JU, USDT, HASH] = (['JU', 'USDT', 'HASH'] as const).map((asset) => toBaseUnits(home.balances[asset]))
  const sum = totalAssets(
    {
      balances: { JU: JU ?? 0n, USDT: USDT ?? 0n, HASH: HASH ?? 0n },
      fund: toBaseUnits(home.financialAmount),
      collateral: { JU: toBaseUnits(home.collateral.JU), HASH: toBaseUnits(home.collateral.HASH) },
      debt: toBaseUnits(home.loanAmount),
    },
    { JU: 2n * WHOLE, USDT: WHOLE, HASH: WHOLE / 2n },
  )
  expect(fromBaseUnits(sum ?? 0n)).toBe(home.totalAssets)
  lending.rates.JU.pauseReason = 'halted'
  // A halted price still says what something is worth; nothing new is lent on it.
  expect(await overview(alice)).toMatchObject({ totalAssets: '25999.725', creditLimit: '2000' })
})

test('what is owed on all loans is what ends them, with the handling fee of an installment whose day has come', async () => {
  await using lending = await startLending()
  const { alice, db } = lending
  const loan = await lending.borrow(alice, 1_000n, 2_000n, { days: 90 })
  const other = await lending.borrow(alice, 100n, 1_000n, { days: 90 })
  const input = { loanNo: loan.loanNo, count: 3, requestId: lending.requestId() }
  await lending.handlers['POST lending/installment'](input, lending.contextOf(alice))
  const owed = async () => {
    const home = await getOverview(db, {
      memberId: alice,
      now: lending.clock.now(),
    })
    const payoffs = await Promise.all([loan, other].map(({ loanNo }) => lending.payoff(alice, loanNo)))
    const fees = payoffs.reduce((sum, { fees: ofLoan }) => sum + toBaseUnits(ofLoan), 0n)
    return {
      shown: toBaseUnits(home.loanAmount),
      ends: payoffs.reduce((sum, { payoff }) => sum + toBaseUnits(payoff), 0n),
      fees,
    }
  }
  const before = await owed()
  expect([before.shown, before.fees]).toEqual([before.ends, 0n])
  const [first] = (await lending.detail(alice, loan.loanNo)).dues
  lending.goTo(first?.dueOn ?? '')
  const due = await owed()
  expect([due.shown, due.fees]).toEqual([due.ends, WHOLE])
})
