import { addDays, addMonths } from '@candela/protocol/calendar'
import { fromBaseUnits, toBaseUnits } from '@candela/protocol/money/money'
import { memberAccount } from '@candela/server/ledger/chart'
import { describe, expect, test } from 'vitest'
import { refused } from '@candela/testing/server/refused'
import { FIRST_DAY, startLending } from './lending-scenario.ts'

describe('repaying', () => {
  test('everything ends the loan, returns the collateral and gives the interest to fund and reserve', async () => {
    await using lending = await startLending()
    const { alice, bob } = lending
    const { loanNo } = await lending.borrow(alice, 1_000n, 1_000n)
    lending.goTo(addDays(FIRST_DAY, 10))
    const payoff = await lending.payoff(alice, loanNo)
    expect(payoff).toMatchObject({
      payoff: '1002.5',
      next: '1002.5',
      principal: '1000',
      interest: '2.5',
      fees: '0',
      perDay: '0.25',
      available: '2000',
      expiresAt: `${addDays(FIRST_DAY, 11)}T00:00:00.000Z`,
    })
    expect(await refused(lending.repay(bob, loanNo, 'full', payoff.payoff))).toBe(404)
    expect(await refused(lending.repay(alice, loanNo, 'full', '1002.4'))).toBe(4204)
    const full = (limits: { amount?: bigint; maxAmount?: bigint }) =>
      lending.handlers['POST lending/repay'](
        { loanNo, mode: 'full', requestId: lending.requestId(), ...limits },
        lending.contextOf(alice),
      )
    await expect(full({ maxAmount: toBaseUnits('1002.4') })).rejects.toMatchObject({
      code: 4210,
      params: { needed: '1002.5 USDT' },
    })
    // `amount` does not count beside it: it is for versions that know no `maxAmount`.
    expect(await refused(full({ amount: toBaseUnits('2000'), maxAmount: 1n }))).toBe(4210)
    const requestId = lending.requestId()
    const paid = await lending.repay(alice, loanNo, 'full', '1003', requestId)
    expect(paid).toMatchObject({
      paid: '1002.5',
      parts: { charges: '0', fees: '0', interest: '2.5', principal: '1000' },
      loan: { state: 'repaid', payoff: '0', collateral: '0', principalRepaid: '1000', next: null },
    })
    expect(await lending.repay(alice, loanNo, 'full', '1003', requestId)).toEqual(paid)
    expect(await lending.available(alice, 'JU')).toBe('10000')
    expect(await lending.available(alice, 'USDT')).toBe('997.5')
    expect(await lending.platform('reserve')).toBe('0.25')
    expect(await lending.platform('fundIdle')).toBe('100002.25')
    expect(await lending.notices(alice)).toMatchObject([
      { kind: 'loanRepaid', params: { loanNo, amount: '1000', asset: 'JU' } },
    ])
    const calls = [
      lending.repay(alice, loanNo, 'amount', '1'),
      lending.payoff(alice, loanNo),
      lending.handlers['POST lending/addCollateral'](
        { loanNo, amount: 1n, requestId: lending.requestId() },
        lending.contextOf(alice),
      ),
    ]
    expect(await Promise.all(calls.map(refused))).toEqual([4303, 4303, 4303])
    await lending.expectSound()
  })

  test('costs one day when it is done at once, and thirty for a loan over thirty days', async () => {
    await using lending = await startLending()
    const first = await lending.borrow(lending.alice, 1_000n, 1_000n)
    const second = await lending.borrow(lending.alice, 1_000n, 1_000n, { days: 30 })
    expect((await lending.payoff(lending.alice, first.loanNo)).payoff).toBe('1000.25')
    lending.goTo(second.dueOn)
    expect((await lending.payoff(lending.alice, second.loanNo)).payoff).toBe('1007.5')
  })

  test('parts pay interest before principal, and no more than there is', async () => {
    await using lending = await startLending()
    const { alice } = lending
    const { loanNo } = await lending.borrow(alice, 1_000n, 1_000n)
    lending.goTo(addDays(FIRST_DAY, 4))
    expect(await lending.repay(alice, loanNo, 'amount', '0.4')).toMatchObject({
      parts: { interest: '0.4', principal: '0' },
      loan: { interest: '0.6', principal: '1000' },
    })
    expect(await lending.repay(alice, loanNo, 'amount', '400.6')).toMatchObject({
      parts: { interest: '0.6', principal: '400' },
      loan: { interest: '0', principal: '600', state: 'active' },
    })
    lending.goTo(addDays(FIRST_DAY, 5))
    expect(await lending.payoff(alice, loanNo)).toMatchObject({ payoff: '600.15', perDay: '0.15' })
    // Before the loan 1,000; it brought 1,000, and 401 are paid.
    await lending.borrow(lending.bob, 1_000n, 1_000n)
    const poor = await lending.join({ JU: 1_000n })
    const { loanNo: other } = await lending.borrow(poor, 1_000n, 1_000n)
    expect(await refused(lending.repay(poor, other, 'full', '2000'))).toBe(4201)
    expect(await refused(lending.repay(poor, other, 'amount', '1000.1'))).toBe(4201)
    expect(await refused(lending.repay(poor, other, 'amount', '1000'))).toBe('accepted')
    await lending.expectSound()
  })

  test('many at the same time pay one after the other, and together no more than is owed', async () => {
    await using lending = await startLending({ poolSize: 16 })
    const { alice } = lending
    const { loanNo } = await lending.borrow(alice, 1_000n, 1_000n)
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, () => refused(lending.repay(alice, loanNo, 'amount', '100'))),
    )
    expect(outcomes.filter((outcome) => outcome === 'accepted')).toHaveLength(11)
    expect(outcomes.filter((outcome) => outcome === 4303)).toHaveLength(1)
    expect((await lending.detail(alice, loanNo)).loan.state).toBe('repaid')
    expect(await lending.available(alice, 'USDT')).toBe('999.75')
    await lending.expectSound()
  })

  test('a late payment costs charges after the days of grace, from the due date on', async () => {
    await using lending = await startLending()
    const { alice } = lending
    const { loanNo, dueOn } = await lending.borrow(alice, 1_000n, 1_000n)
    lending.goTo(addDays(dueOn, 3))
    expect((await lending.detail(alice, loanNo)).loan).toMatchObject({ state: 'overdue', charges: '0' })
    lending.goTo(addDays(dueOn, 4))
    // 1,007.5 were due; 0.05 % of it for each of four days.
    expect((await lending.detail(alice, loanNo)).loan).toMatchObject({ interest: '8.5', charges: '2.015' })
    const { loan, parts } = await lending.repay(alice, loanNo, 'amount', '900')
    expect(parts).toMatchObject({ charges: '2.015', interest: '8.5', principal: '889.485' })
    expect(loan.state).toBe('overdue')
    expect(
      await refused(
        lending.handlers['POST lending/releaseCollateral'](
          { loanNo, amount: 1n, requestId: lending.requestId() },
          lending.contextOf(alice),
        ),
      ),
    ).toBe(4303)
    await lending.expectSound()
    const end = await lending.repay(alice, loanNo, 'full', (await lending.payoff(alice, loanNo)).payoff)
    expect(end.loan.state).toBe('repaid')
    expect(await lending.platform('reserve')).toBe('1.0515')
    await lending.expectSound()
  })
})

describe('installments', () => {
  test('the schedule that was shown is what is then due, and paying it on its days ends the loan', async () => {
    await using lending = await startLending()
    const { alice, handlers, contextOf } = lending
    const { loanNo } = await lending.borrow(alice, 1_000n, 2_000n, { days: 180 })
    await lending.put(memberAccount(alice, 'memberAvailable', 'USDT'), 'USDT', toBaseUnits('100'))
    lending.goTo(addDays(FIRST_DAY, 5))
    const from = addDays(FIRST_DAY, 5)
    const plan = await handlers['GET lending/schedule']({ loanNo, count: 3 }, contextOf(alice))
    expect(plan).toMatchObject({ principal: '1000', interest: '1.25', from, interestThrough: from, totalFees: '3' })
    const requestId = lending.requestId()
    const turn = () => handlers['POST lending/installment']({ loanNo, count: 3, requestId }, contextOf(alice))
    const { loan } = await turn()
    expect(loan).toMatchObject({
      state: 'installment',
      dueOn: addMonths(from, 3),
      installments: { count: 3, paid: 0, payment: plan.installments[0]?.payment },
      next: { number: 1, dueOn: addMonths(from, 1) },
    })
    expect(await turn()).toEqual({ loan })
    expect(
      await refused(
        handlers['POST lending/installment']({ loanNo, count: 6, requestId: lending.requestId() }, contextOf(alice)),
      ),
    ).toBe(4303)
    let principal = 0n
    for (const [nth, planned] of plan.installments.entries()) {
      lending.goTo(planned.dueOn)
      const { next } = await lending.payoff(alice, loanNo)
      expect(next).toBe(fromBaseUnits(toBaseUnits(planned.payment) + toBaseUnits('1')))
      const paid = await lending.repay(alice, loanNo, 'next', next)
      expect(paid.parts).toMatchObject({ fees: '1', interest: planned.interest, principal: planned.principal })
      expect(paid.loan.installments?.paid).toBe(nth + 1)
      principal += toBaseUnits(paid.parts.principal)
    }
    expect(fromBaseUnits(principal)).toBe('1000')
    expect((await lending.detail(alice, loanNo)).loan.state).toBe('repaid')
    expect(await lending.platform('fees')).toBe('3')
    await lending.expectSound()
  })

  test('one that is missed makes the loan overdue until it is paid', async () => {
    await using lending = await startLending()
    const { alice, handlers, contextOf } = lending
    const { loanNo } = await lending.borrow(alice, 1_000n, 2_000n)
    const input = { loanNo, count: 3, requestId: lending.requestId() }
    const { loan } = await handlers['POST lending/installment'](input, contextOf(alice))
    const due = loan.next?.dueOn ?? ''
    lending.goTo(addDays(due, 10))
    expect((await lending.detail(alice, loanNo)).loan.state).toBe('overdue')
    const { next } = await lending.payoff(alice, loanNo)
    expect(await lending.repay(alice, loanNo, 'next', next)).toMatchObject({
      loan: { state: 'installment', charges: '0', next: { number: 2 } },
    })
    await lending.expectSound()
  })
})
