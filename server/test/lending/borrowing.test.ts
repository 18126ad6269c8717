import { addDays } from '@candela/protocol/calendar'
import { toBaseUnits } from '@candela/protocol/money/money'
import { DEFAULT_PAGE_LIMIT } from '@candela/protocol/page'
import { auditLoans } from '@candela/server/modules/lending/loan/audit-loans'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { refused } from '@candela/testing/server/refused'
import { FIRST_DAY, startLending, WHOLE } from './lending-scenario.ts'

/** The projects lend at 9.125 % a year: 0.25 USDT a day on 1,000. */

describe('borrowing', () => {
  test('a quote says what the loan then is, and the loan is in the ledger to the base unit', async () => {
    await using lending = await startLending()
    const { alice, projectNo, handlers, contextOf } = lending
    const input = { projectNo, amount: 1_000n * WHOLE, days: 30 }
    const quote = await handlers['GET lending/quote'](input, contextOf(alice))
    expect(quote).toMatchObject({
      collateralNeeded: '1000',
      collateral: '1000',
      collateralAvailable: '10000',
      interestPerDay: '0.25',
      interest: '7.5',
      repayment: '1007.5',
      dueOn: addDays(FIRST_DAY, 30),
      mortgageRate: '0.500125',
      price: { used: '2', spot: '2', average: '2', asset: 'JU' },
      liquidationPrice: '1.2503125',
    })
    const loan = await lending.borrow(alice, 1_000n, 1_000n)
    expect(loan).toMatchObject({
      state: 'active',
      kind: 'project',
      projectNo,
      lent: '1000',
      principal: '1000',
      interest: '0.25',
      charges: '0',
      payoff: '1000.25',
      collateral: '1000',
      dueOn: quote.dueOn,
      safety: { mortgageRate: quote.mortgageRate, status: 'safe', liquidationPrice: quote.liquidationPrice },
      next: { number: 1, dueOn: quote.dueOn, amount: '1000.25' },
      installments: null,
      lever: null,
    })
    expect(await lending.available(alice, 'USDT')).toBe('2000')
    expect(await lending.available(alice, 'JU')).toBe('9000')
    expect(await lending.platform('fundIdle')).toBe('99000')
    expect(await lending.platform('fundClaims')).toBe('1000')
    expect(await lending.platform('fundPending')).toBe('0.225')
    expect(await lending.platform('reserveClaims')).toBe('0.025')
    const { project } = await handlers['GET project/detail']({ projectNo }, contextOf(alice))
    expect(project).toMatchObject({ borrowed: '1000', available: '99000', interestEarned: '0.25' })
    expect(await lending.orders(alice, '1')).toEqual({ items: [loan], nextCursor: null })
    expect(await lending.orders(alice, '0')).toEqual({ items: [], nextCursor: null })
    expect((await lending.detail(alice, loan.loanNo)).releasable).toBe('0')
    await lending.expectSound()
  })

  test('the audit finds a row that differs from the ledger', async () => {
    await using lending = await startLending()
    const { loanNo } = await lending.borrow(lending.alice, 1_000n, 1_000n)
    expect(await auditLoans(lending.db)).toEqual([])
    await sql`update loan set collateral = collateral + 1`.execute(lending.db)
    await sql`update loan_debt set interest_charged = interest_charged + 10`.execute(lending.db)
    expect(await auditLoans(lending.db)).toMatchObject([
      { subject: `interest of loan ${loanNo}` },
      {
        subject: `collateral of loan ${loanNo}`,
        details: 'recorded 1 more than in the ledger',
      },
      {
        rule: 'interest follows from the principal',
        subject: `interest charged on loan ${loanNo}`,
        details: 'recorded 10 more than recomputed',
      },
      { subject: 'owed to the fund' },
      { subject: 'owed to the reserve' },
    ])
  })

  test('what is not allowed is refused with its reason, and nothing has happened', async () => {
    await using lending = await startLending({ fund: 2_000n })
    const { alice, borrow, projectNo, rates } = lending
    expect(await refused(borrow(alice, 9n, 1_000n))).toBe(4202)
    expect(await refused(borrow(alice, 1_001n, 1_000n))).toBe(4301)
    expect(await refused(borrow(alice, 2_001n, 9_000n))).toBe(4302)
    expect(await refused(borrow(alice, 1_000n, 10_001n))).toBe(4201)
    expect(await refused(borrow(alice, 100n, 1_000n, { project: '20260101UNKNOWN' }))).toBe(404)
    rates.JU = { spot: 1_850, average5: 1_850, average: 2_000 }
    expect(await refused(borrow(alice, 1_000n, 1_000n))).toBe(4301)
    rates.JU = { spot: 2_000, average5: 2_000, average: 2_000, pauseReason: 'halted' }
    expect(await refused(borrow(alice, 100n, 1_000n))).toBe(5031)
    rates.JU = { spot: 2_000, average5: 2_000, average: 2_000 }
    await lending.db.updateTable('project').set({ closed_at: lending.clock.now() }).execute()
    expect(await refused(borrow(alice, 100n, 1_000n))).toBe(4305)
    await lending.db
      .updateTable('project')
      .set({ closed_at: null, total: 500n * WHOLE })
      .execute()
    expect(await refused(borrow(alice, 501n, 1_000n))).toBe(4302)
    expect(await lending.orders(alice)).toMatchObject({ items: [] })
    expect(await refused(borrow(alice, 500n, 1_000n, { project: projectNo }))).toBe('accepted')
    await lending.expectSound()
  })

  test('the same request borrows once, also twenty at the same time; another input is refused', async () => {
    await using lending = await startLending({ poolSize: 20 })
    const { alice, borrow } = lending
    const requestId = lending.requestId()
    const loans = await Promise.all(Array.from({ length: 20 }, () => borrow(alice, 100n, 1_000n, { requestId })))
    expect(new Set(loans.map(({ loanNo }) => loanNo)).size).toBe(1)
    expect(await refused(borrow(alice, 101n, 1_000n, { requestId }))).toBe(4090)
    expect((await lending.orders(alice)).items).toHaveLength(1)
    await lending.expectSound()
  })

  test('of many at the same time as many get money as the fund and the project have it', async () => {
    await using lending = await startLending({ poolSize: 20, fund: 1_050n })
    const { alice, bob, borrow } = lending
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, nth) => refused(borrow(nth % 2 === 0 ? alice : bob, 100n, 200n))),
    )
    expect(outcomes.filter((outcome) => outcome === 'accepted')).toHaveLength(10)
    expect(outcomes.filter((outcome) => outcome === 4302)).toHaveLength(10)
    expect(await lending.platform('fundIdle')).toBe('50')
    await lending.expectSound()
  })

  test('a member has at most as many open loans as the setting says, also when they come at once', async () => {
    await using lending = await startLending({ poolSize: 12 })
    await lending.db
      .insertInto('setting')
      .values({ key: 'openLoans', value: '3', updated_at: lending.clock.now() })
      .execute()
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, () => refused(lending.borrow(lending.alice, 100n, 200n))),
    )
    expect(outcomes.filter((outcome) => outcome === 'accepted')).toHaveLength(3)
    expect(outcomes.filter((outcome) => outcome === 4203)).toHaveLength(5)
    expect(await refused(lending.borrow(lending.bob, 100n, 200n))).toBe('accepted')
  })
})

describe('collateral', () => {
  test('more can be locked, and what is not needed at the initial rate is released', async () => {
    await using lending = await startLending()
    const { alice, bob, handlers, contextOf, requestId } = lending
    const { loanNo } = await lending.borrow(alice, 1_000n, 1_500n)
    const change = (key: 'add' | 'release', amount: string, memberId = alice, id = requestId()) =>
      handlers[`POST lending/${key}Collateral`](
        { loanNo, amount: toBaseUnits(amount), requestId: id },
        contextOf(memberId),
      )
    const id = requestId()
    const { loan } = await change('add', '500', alice, id)
    expect(loan).toMatchObject({ collateral: '2000', safety: { mortgageRate: '0.250062' } })
    expect(await change('add', '500', alice, id)).toEqual({ loan })
    expect(await refused(change('add', '8000.000000000000000001'))).toBe(4201)
    // 1,000.25 USDT at 50 % and 2 USDT each need 1,000.25.
    expect((await lending.detail(alice, loanNo)).releasable).toBe('999.75')
    expect(await refused(change('release', '999.750000000000000001'))).toBe(4301)
    lending.rates.JU.pauseReason = 'halted'
    expect(await refused(change('release', '1'))).toBe(5031)
    expect((await lending.detail(alice, loanNo)).releasable).toBeNull()
    delete lending.rates.JU.pauseReason
    expect(await refused(change('release', '1', bob))).toBe(404)
    expect((await change('release', '999.75')).loan).toMatchObject({
      collateral: '1000.25',
      safety: { mortgageRate: '0.5' },
    })
    expect(await lending.available(alice, 'JU')).toBe('8999.75')
    await lending.expectSound()
  })
})

describe('what a loan went through', () => {
  test('is listed line by line, each part summing to what is owed and to the collateral', async () => {
    await using lending = await startLending()
    const { alice, bob, handlers, contextOf } = lending
    const { loanNo } = await lending.borrow(alice, 1_000n, 1_500n)
    lending.goTo(addDays(FIRST_DAY, 3))
    await lending.repay(alice, loanNo, 'amount', '300')
    const read = async (
      cursor?: string,
    ): Promise<Awaited<ReturnType<(typeof handlers)['GET lending/entries']>>['items']> => {
      const page = await handlers['GET lending/entries']({ loanNo, limit: 3, cursor }, contextOf(alice))
      return page.nextCursor === null ? page.items : [...page.items, ...(await read(page.nextCursor))]
    }
    const entries = await read()
    const { loan } = await lending.detail(alice, loanNo)
    for (const part of ['principal', 'interest', 'charges', 'collateral'] as const) {
      const lines = entries.filter((entry) => entry.part === part)
      const sum = lines.reduce(
        (total, { amount }) => total + toBaseUnits(amount.replace('-', '')) * (amount.startsWith('-') ? -1n : 1n),
        0n,
      )
      expect([part, sum]).toEqual([part, toBaseUnits(loan[part])])
      expect(lines[0]?.balance ?? '0').toBe(loan[part])
    }
    const days = entries.flatMap(({ kind, day }) => (kind === 'interest' ? [day] : []))
    expect(new Set(days)).toEqual(new Set([1, 2, 3].map((nth) => addDays(FIRST_DAY, nth))))
    expect(await refused(handlers['GET lending/entries']({ loanNo, limit: DEFAULT_PAGE_LIMIT }, contextOf(bob)))).toBe(
      404,
    )
    await lending.expectSound()
  })
})
