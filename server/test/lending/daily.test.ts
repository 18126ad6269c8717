import { toBaseUnits } from '@candela/protocol/money/money'
import { addDays } from '@candela/protocol/calendar'
import { transaction } from '@candela/server/db/open'
import { closeLending } from '@candela/server/modules/lending/loan/daily/close-lending'
import { boundOf, type LoanRow } from '@candela/server/modules/lending/loan/record/loan-record'
import { chargeStep } from '@candela/server/modules/lending/loan/record/steps'
import { lockLoan } from '@candela/server/modules/lending/loan/record/store'
import * as fc from 'fast-check'
import type { KyselyPlugin } from 'kysely'
import { describe, expect, test } from 'vitest'
import { FIRST_DAY, type Scenario, startLending, WHOLE } from './lending-scenario.ts'

const rowsOf = (lending: Scenario): Promise<LoanRow[]> =>
  lending.db.selectFrom('loan_with_debt').selectAll().orderBy('id').execute()

describe('the daily charge', () => {
  test('charges many loans in one statement to the base unit what a loan alone is charged', async () => {
    await using lending = await startLending({ fund: 1_000_000n })
    const { alice, db } = lending
    const some = fc.sample(
      fc.record({
        rate: fc.integer({ min: 0, max: 1_000_000 }),
        reserve: fc.integer({ min: 0, max: 1_000_000 }),
        amount: fc.bigInt({ min: 10n * WHOLE, max: 1_000n * WHOLE }),
        collateral: fc.bigInt({ min: 1n, max: 10n ** 20n }),
      }),
      { numRuns: 25, seed: 7 },
    )
    for (const { rate, reserve, amount, collateral } of some) {
      await db
        .insertInto('setting')
        .values({ key: 'reservePpm', value: String(reserve), updated_at: lending.clock.now() })
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: String(reserve) }))
        .execute()
      const projectNo = await lending.openProject({ rate })
      const input = {
        projectNo,
        amount,
        collateral: amount / 2n + amount / 2n + collateral,
        days: 30,
        requestId: lending.requestId(),
      }
      const poor = await lending.join({ JU: 2_000n })
      await lending.handlers['POST lending/borrow'](input, lending.contextOf(poor))
    }
    expect(alice).toBeGreaterThan(0n)
    for (let day = addDays(FIRST_DAY, 1); day <= addDays(FIRST_DAY, 17); day = addDays(day, 1)) {
      const before = await rowsOf(lending)
      // Chunks of seven do not divide the loans evenly.
      expect(await lending.closeDay(addDays(day, -1), 7)).toEqual([addDays(day, -1)])
      const after = await rowsOf(lending)
      for (const [nth, row] of before.entries()) {
        const now = after[nth]
        const { loan } = chargeStep({ row, dues: [] }, day, lending.clock.now())
        expect([now?.interest_charged, now?.interest_through]).toEqual([
          loan.row.interest_charged,
          day > row.interest_through ? day : row.interest_through,
        ])
        const through = row.watch_through <= day && row.interest_through < day ? addDays(day, 14) : row.watch_through
        expect(now?.watch_through).toBe(through)
        const isNew = through !== row.watch_through
        expect(now?.watch_price).toBe(isNew ? boundOf(loan.row, through, row.clearing_ppm) : row.watch_price)
        expect(now?.safety_price).toBe(isNew ? boundOf(loan.row, through, row.safety_ppm) : row.safety_price)
        // The bound is above what is exact until the next close.
        expect(now?.watch_price).toBeGreaterThanOrEqual(boundOf(loan.row, addDays(day, 1), row.clearing_ppm))
      }
    }
    await lending.expectSound()
    const days = await db.selectFrom('loan_day').selectAll().orderBy('day').execute()
    expect(days.map(({ loans }) => loans)).toEqual([0n, ...Array.from({ length: 16 }, () => 25n)])
    const projects = await db.selectFrom('project').selectAll().execute()
    const earned = projects.reduce((sum, { interest_earned }) => sum + interest_earned, 0n)
    expect(earned).toBe((await rowsOf(lending)).reduce((sum, { interest_charged }) => sum + interest_charged, 0n))
  })

  test('happens once, however often and at the same time it runs, and goes on where it was killed', async () => {
    await using lending = await startLending({ poolSize: 16 })
    for (let nth = 0; nth < 9; nth += 1) await lending.borrow(lending.alice, 100n, 200n)
    lending.goTo(addDays(FIRST_DAY, 2))
    const deps = { ...lending.loanDeps, clock: lending.clock, chunk: 2 }
    let calls = 0
    const killing: KyselyPlugin = {
      transformQuery({ node }) {
        const isOfProjects = node.kind === 'UpdateQueryNode' && JSON.stringify(node.table).includes('"project"')
        if (isOfProjects && (calls += 1) === 3) throw new Error('killed')
        return node
      },
      transformResult: ({ result }) => Promise.resolve(result),
    }
    const dying = { ...deps, db: lending.db.withPlugin(killing) }
    // The loans are charged for the second day since they were opened; the first was charged at once.
    await closeLending(deps, FIRST_DAY)
    await expect(closeLending(dying, addDays(FIRST_DAY, 1))).rejects.toThrow('killed')
    const half = await lending.db.selectFrom('loan_day').selectAll().orderBy('day', 'desc').executeTakeFirstOrThrow()
    expect([half.loans, half.closed_at]).toEqual([4n, null])
    await Promise.all(Array.from({ length: 5 }, () => closeLending(deps, addDays(FIRST_DAY, 1))))
    expect((await rowsOf(lending)).map(({ interest_charged }) => interest_charged)).toEqual(
      Array.from({ length: 9 }, () => WHOLE / 20n),
    )
    const day = await lending.db.selectFrom('loan_day').selectAll().orderBy('day', 'desc').executeTakeFirstOrThrow()
    expect([day.loans, day.closed_at === null]).toEqual([9n, false])
    await lending.expectSound()
  })

  test('days that were missed are closed one after the other, and the fund earns what borrowers pay', async () => {
    await using lending = await startLending()
    const { alice, fay } = lending
    const { loanNo } = await lending.borrow(alice, 1_000n, 1_000n)
    await lending.closeDay(FIRST_DAY)
    lending.goTo(addDays(FIRST_DAY, 10))
    const closed = await closeLending({ ...lending.loanDeps, clock: lending.clock }, addDays(FIRST_DAY, 9))
    expect(closed).toHaveLength(9)
    expect((await lending.detail(alice, loanNo)).loan.interest).toBe('2.5')
    const info = await lending.handlers['GET finance/info']({}, lending.contextOf(fay))
    expect(info).toMatchObject({ lent: '1002.25', pending: '0.225', cumulative: '2.02499999999997975' })
    await lending.expectSound()
  })

  test('a close counts all that was charged until then: also after midnight, and of a late loan for all days up to today', async () => {
    await using lending = await startLending()
    const { alice, fay } = lending
    const { loanNo } = await lending.borrow(alice, 1_000n, 1_000n)
    lending.clock.set(`${addDays(FIRST_DAY, 1)}T00:03:00.000Z`)
    await lending.borrow(alice, 500n, 1_000n, { days: 360 })
    const close = (day: string) => closeLending({ ...lending.loanDeps, clock: lending.clock }, day)
    await close(FIRST_DAY)
    const info = () => lending.handlers['GET finance/info']({}, lending.contextOf(fay))
    // 0.25 of the day, and 0.125 that the second loan was charged for the day after.
    expect((await info()).history).toMatchObject([{ day: FIRST_DAY, earned: '0.3375' }])
    // Due on the thirtieth day after; on the day after that it is charged for all days until today.
    lending.goTo(addDays(FIRST_DAY, 39))
    expect(await close(addDays(FIRST_DAY, 38))).toHaveLength(38)
    const { history, lent, idle, pending, fund } = await info()
    const earned = new Map(history.map((day) => [day.day, toBaseUnits(day.earned)]))
    const daily = (toBaseUnits('0.25') * 9n) / 10n
    const both = daily + (toBaseUnits('0.125') * 9n) / 10n
    const own = (day: number) => earned.get(addDays(FIRST_DAY, day)) ?? -1n
    // A loan is charged from the second day after it was opened on.
    expect([own(1), own(2), own(30)]).toEqual([0n, daily, both])
    expect([own(31) > 9n * daily, own(32), own(38)]).toEqual([true, both - daily, both - daily])
    expect(toBaseUnits(idle) + toBaseUnits(lent)).toBe(toBaseUnits(fund.assets) + toBaseUnits(pending))
    expect((await lending.detail(alice, loanNo)).loan.state).toBe('overdue')
    await lending.expectSound()
  })

  test('a member’s act in the middle of it is charged once', async () => {
    await using lending = await startLending()
    const { alice } = lending
    const { loanNo } = await lending.borrow(alice, 1_000n, 1_000n)
    await lending.closeDay(FIRST_DAY)
    await lending.closeDay(addDays(FIRST_DAY, 1))
    lending.clock.set(`${addDays(FIRST_DAY, 3)}T00:05:00.000Z`)
    await lending.repay(alice, loanNo, 'amount', '10')
    await lending.closeDay(addDays(FIRST_DAY, 2))
    const { row } = await transaction(lending.db, (tx) => lockLoan(tx, { loanNo }))
    expect([row.interest_charged, row.interest_through]).toEqual([(WHOLE * 3n) / 4n, addDays(FIRST_DAY, 3)])
    await lending.expectSound()
  })
})

describe('due dates', () => {
  test('a borrower is reminded seven days before, told once when it is late, and charged after the grace', async () => {
    await using lending = await startLending()
    const { alice, bob } = lending
    const { loanNo, dueOn } = await lending.borrow(alice, 1_000n, 1_000n)
    await lending.borrow(bob, 1_000n, 1_000n, { days: 90 })
    const kinds = async () => (await lending.notices(alice)).map(({ kind }) => kind)
    for (let day = FIRST_DAY; day < addDays(dueOn, -8); day = addDays(day, 1)) await lending.closeDay(day)
    expect(await kinds()).toEqual([])
    await lending.closeDay(addDays(dueOn, -8))
    await lending.closeDay(addDays(dueOn, -7))
    expect(await lending.notices(alice)).toMatchObject([
      { kind: 'loanReminder', params: { loanNo, dueOn, asset: 'USDT', amount: '1005.75' } },
    ])
    for (let day = addDays(dueOn, -6); day <= addDays(dueOn, -1); day = addDays(day, 1)) await lending.closeDay(day)
    expect(await kinds()).toEqual(['loanReminder'])
    await lending.closeDay(dueOn)
    expect(await lending.notices(alice)).toMatchObject([
      {},
      { kind: 'loanOverdue', params: { loanNo, amount: '1007.5' } },
    ])
    const stored = async () => (await rowsOf(lending)).map(({ state, late_charged }) => [state, late_charged])
    expect(await stored()).toEqual([
      ['overdue', 0n],
      ['active', 0n],
    ])
    for (let day = addDays(dueOn, 1); day <= addDays(dueOn, 3); day = addDays(day, 1)) await lending.closeDay(day)
    expect(await stored()).toMatchObject([
      ['overdue', (2_015n * WHOLE) / 1_000n],
      ['active', 0n],
    ])
    expect(await kinds()).toEqual(['loanReminder', 'loanOverdue'])
    await lending.expectSound()
  })
})
