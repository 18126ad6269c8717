import { requestIdNamed } from '@candela/testing/server/request-id-named'
import { addDays } from '@candela/protocol/calendar'
import { dayInterest, splitInterest } from '@candela/protocol/lending/interest'
import { transaction } from '@candela/server/db/open'
import { loanAccount, platformAccount } from '@candela/server/ledger/chart'
import { post } from '@candela/server/ledger/post'
import { auditInterest } from '@candela/server/modules/lending/loan/audit-interest'
import { auditLoans, auditLoansInSteps } from '@candela/server/modules/lending/loan/audit-loans'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { FIRST_DAY, type Scenario, startLending, WHOLE } from './lending-scenario.ts'

const loanOf = (lending: Scenario, loanNo: string) =>
  lending.db.selectFrom('loan_with_debt').selectAll().where('loan_no', '=', loanNo).executeTakeFirstOrThrow()

/** Charges interest beyond what is owed, in the row and in the ledger alike: all sums agree afterwards. */
async function overcharge(lending: Scenario, loanNo: string, amount: bigint): Promise<void> {
  const row = await loanOf(lending, loanNo)
  const { fund, reserve } = splitInterest(row.interest_charged, amount, BigInt(row.reserve_ppm))
  const debit = loanAccount(row.id, 'loanInterest', 'USDT')
  await transaction(lending.db, async (tx) => {
    await post(tx, {
      id: lending.ids.uuid(),
      kind: 'interest',
      legs: [
        { debit, credit: platformAccount('fundPending', 'USDT'), amount: fund },
        { debit, credit: platformAccount('reserveClaims', 'USDT'), amount: reserve },
      ],
      memo: { day: FIRST_DAY, loanNo },
      occurredAt: lending.clock.now(),
    })
    await tx
      .updateTable('loan_debt')
      .set((debt) => ({ interest_charged: debt('interest_charged', '+', amount) }))
      .where('loan_id', '=', row.id)
      .execute()
  })
}

test('the audit recomputes the interest of each loan, and finds a day too much that all sums agree with', async () => {
  await using lending = await startLending()
  const { alice, bob } = lending
  const loan = await lending.borrow(alice, 1_000n, 1_000n)
  const paidAtOnce = await lending.borrow(bob, 500n, 1_000n)
  await lending.repay(bob, paidAtOnce.loanNo, 'amount', '100')
  const sold = await lending.borrow(bob, 4_000n, 4_000n)
  for (let day = FIRST_DAY, nth = 0; nth < 6; nth += 1, day = addDays(day, 1)) {
    await lending.closeDay(day)
    if (nth === 1) await lending.repay(alice, loan.loanNo, 'amount', '300')
    if (nth === 2) {
      lending.price('JU', 1_250)
      expect(await lending.watch()).toBeGreaterThan(0)
    }
    if (nth === 3) await lending.repay(alice, loan.loanNo, 'amount', '50')
  }
  await lending.repay(bob, paidAtOnce.loanNo, 'full', '500')
  expect(await loanOf(lending, sold.loanNo)).toMatchObject({ state: 'active' })
  await lending.expectSound()

  const row = await loanOf(lending, loan.loanNo)
  await overcharge(lending, loan.loanNo, dayInterest(row.principal, BigInt(row.rate_ppm)))
  expect((await auditLoans(lending.db)).map(({ subject }) => subject)).toEqual([
    `interest charged on loan ${loan.loanNo}`,
  ])
})

test('a payment of the last moment of a day that is recorded after the next day was charged is no finding', async () => {
  await using lending = await startLending()
  const { loanNo } = await lending.borrow(lending.alice, 1_000n, 1_000n)
  const lastMoment = new Date(`${addDays(FIRST_DAY, 1)}T23:59:59.999Z`)
  await lending.closeDay(FIRST_DAY)
  await lending.closeDay(addDays(FIRST_DAY, 1))
  const charged = await loanOf(lending, loanNo)
  expect(charged.interest_through).toBe(addDays(FIRST_DAY, 2))
  await lending.handlers['POST lending/repay'](
    { loanNo, mode: 'amount', amount: 400n * WHOLE, requestId: requestIdNamed('repayment', lastMoment) },
    { ...lending.contextOf(lending.alice), now: lastMoment },
  )
  await lending.closeDay(addDays(FIRST_DAY, 2))
  await lending.expectSound()
  // The days alone would say otherwise.
  await sql`update loan_debt set interest_charged = interest_charged - 1`.execute(lending.db)
  expect((await auditLoans(lending.db)).map(({ subject }) => subject)).toContain(`interest charged on loan ${loanNo}`)
})

test('a payment whose clock is still on the day before the loan was opened is no finding', async () => {
  await using lending = await startLending()
  const { loanNo } = await lending.borrow(lending.alice, 1_000n, 1_000n)
  const dayBefore = new Date(`${addDays(FIRST_DAY, -1)}T23:59:59.999Z`)
  await lending.handlers['POST lending/repay'](
    { loanNo, mode: 'amount', amount: 400n * WHOLE, requestId: requestIdNamed('repayment', dayBefore) },
    { ...lending.contextOf(lending.alice), now: dayBefore },
  )
  await lending.closeDay(FIRST_DAY)
  await lending.closeDay(addDays(FIRST_DAY, 1))
  await lending.expectSound()
  await overcharge(lending, loanNo, WHOLE)
  expect((await auditLoans(lending.db)).map(({ subject }) => subject)).toEqual([`interest charged on loan ${loanNo}`])
})

test('a loan whose interest cannot be recomputed is a finding, and the loans after it are compared', async () => {
  await using lending = await startLending()
  const [bad, next] = [
    await lending.borrow(lending.alice, 1_000n, 1_000n),
    await lending.borrow(lending.bob, 1_000n, 1_000n),
  ]
  const row = await loanOf(lending, bad.loanNo)
  await lending.closeDay(FIRST_DAY)
  // More than was lent, in the ledger alone.
  await transaction(lending.db, (tx) =>
    post(tx, {
      id: lending.ids.uuid(),
      kind: 'repayment',
      legs: [
        {
          debit: platformAccount('fundIdle', 'USDT'),
          credit: loanAccount(row.id, 'loanPrincipal', 'USDT'),
          amount: row.lent + 1n,
        },
      ],
      memo: { loanNo: bad.loanNo },
      occurredAt: lending.clock.now(),
    }),
  )
  await lending.closeDay(addDays(FIRST_DAY, 1))
  await overcharge(lending, next.loanNo, WHOLE)
  const found = await auditLoans(lending.db)
  expect(found.map(({ subject }) => subject)).toEqual(
    expect.arrayContaining([`interest charged on loan ${bad.loanNo}`, `interest charged on loan ${next.loanNo}`]),
  )
  expect(found.find(({ subject }) => subject === `interest charged on loan ${bad.loanNo}`)?.details).toContain(
    'more was repaid than lent',
  )
})

test('as many repayments as there are: no number of them makes the audit of a loan disagree', async () => {
  await using lending = await startLending()
  const { loanNo } = await lending.borrow(lending.alice, 1_000n, 1_000n)
  const lastMoment = new Date(`${addDays(FIRST_DAY, 1)}T23:59:59.999Z`)
  await lending.closeDay(FIRST_DAY)
  await lending.closeDay(addDays(FIRST_DAY, 1))
  // Recorded after the next day was charged, so that the days do not say what it was charged on.
  for (let nth = 0; nth < 12; nth += 1) {
    await lending.handlers['POST lending/repay'](
      { loanNo, mode: 'amount', amount: 10n * WHOLE, requestId: requestIdNamed(`repayment ${nth}`, lastMoment) },
      { ...lending.contextOf(lending.alice), now: lastMoment },
    )
  }
  await lending.closeDay(addDays(FIRST_DAY, 2))
  const row = await loanOf(lending, loanNo)
  for (const page of [1, 5, 12, 13, 1_000])
    expect(await transaction(lending.db, (tx) => auditInterest(tx, [row], page))).toEqual([])
  await overcharge(lending, loanNo, WHOLE)
  const wrong = await loanOf(lending, loanNo)
  expect(await transaction(lending.db, (tx) => auditInterest(tx, [wrong], 5))).toHaveLength(1)
})

test('a finding says the same on the next day, so that what an operator has accepted does not come again', async () => {
  await using lending = await startLending()
  const { loanNo } = await lending.borrow(lending.alice, 1_000n, 1_000n)
  await lending.closeDay(FIRST_DAY)
  await overcharge(lending, loanNo, WHOLE)
  // And the ledger knows of a base unit more.
  await sql`update loan_debt set interest_charged = interest_charged + 1`.execute(lending.db)
  const found = await auditLoans(lending.db)
  expect(found.length).toBeGreaterThan(1)
  await lending.closeDay(addDays(FIRST_DAY, 1))
  await lending.repay(lending.alice, loanNo, 'amount', '100')
  await lending.closeDay(addDays(FIRST_DAY, 2))
  expect(await auditLoans(lending.db)).toEqual(found)
})

test('each hour, open loans are compared, and those that ended until they were found to be right two days later', async () => {
  await using lending = await startLending()
  const { alice, bob } = lending
  const [ended, open] = [await lending.borrow(alice, 100n, 1_000n), await lending.borrow(bob, 1_000n, 1_000n)]
  await lending.repay(alice, ended.loanNo, 'full', '101')
  const wrong = `update loan_debt set interest_charged = interest_charged + 1, interest_paid = interest_paid + 1`
  const hourly = async () => {
    const subjects: string[] = []
    for await (const findings of auditLoansInSteps(lending.db, lending.clock.now()))
      subjects.push(
        ...findings.map(({ subject }) => subject).filter((subject) => subject.startsWith('interest charged')),
      )
    return subjects
  }
  const spoil = (loanNo: string, sign: string) =>
    sql`${sql.raw(wrong.replaceAll('+ 1', `${sign} 1`))} where loan_id = (select id from loan where loan_no = ${loanNo})`.execute(
      lending.db,
    )
  await spoil(ended.loanNo, '+')
  expect(await hourly()).toEqual([`interest charged on loan ${ended.loanNo}`])
  lending.clock.advance(3 * 24 * 3_600_000)
  // The fault is found for as long as it is there.
  expect(await hourly()).toEqual([`interest charged on loan ${ended.loanNo}`])
  expect(await hourly()).toEqual([`interest charged on loan ${ended.loanNo}`])
  await spoil(ended.loanNo, '-')
  expect(await hourly()).toEqual([])
  await spoil(ended.loanNo, '+')
  await spoil(open.loanNo, '+')
  expect(await hourly()).toEqual([`interest charged on loan ${open.loanNo}`])
  expect((await auditLoans(lending.db)).map(({ subject }) => subject)).toContain(
    `interest charged on loan ${ended.loanNo}`,
  )
})
