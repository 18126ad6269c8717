import { addDays, utcDay } from '@candela/protocol/calendar'
import { interestDays, interestOf } from '@candela/protocol/lending/interest'
import { closeLending } from '@candela/server/modules/lending/loan/daily/close-lending'
import { expect, test } from 'vitest'
import { FIRST_DAY, WHOLE } from './lending-scenario.ts'
import { countOf, runAtOnce, startRace } from './race.ts'

/** The statement of the daily charge locks nothing before it writes: loans change while it runs. */

const LOANS = 12

test('loans that are repaid, liquidated, secured and opened during the daily close are charged once for the day', async () => {
  const race = await startRace({
    options: { fund: 1_000_000n },
    prepare: async (lending) => {
      const [owners, loans]: [bigint[], string[]] = [[], []]
      for (let nth = 0; nth < LOANS; nth += 1) {
        const owner = await lending.join({ JU: 2_000n, USDT: 1_000n })
        owners.push(owner)
        // Every third is near its line.
        loans.push((await lending.borrow(owner, nth % 3 === 0 ? 1_000n : 100n, 1_000n)).loanNo)
      }
      await lending.closeDay(FIRST_DAY)
      const day = addDays(FIRST_DAY, 1)
      lending.clock.set(`${addDays(day, 1)}T00:10:00.000Z`)
      lending.price('JU', 1_180)
      let [turn, borrower] = [0, 0]
      const next = () => {
        turn += 1
        return { owner: owners[turn % LOANS] ?? 0n, loanNo: loans[turn % LOANS] ?? '' }
      }
      // Small chunks, so that the others come between them.
      const close = () => closeLending({ ...lending.loanDeps, clock: lending.clock, chunk: 3 }, day)
      return {
        close,
        payer: () => {
          const { owner, loanNo } = next()
          return lending.repay(owner, loanNo, 'amount', '10')
        },
        ender: () => {
          const { owner, loanNo } = next()
          return lending.repay(owner, loanNo, 'full', '1001')
        },
        watcher: () => lending.watch(),
        borrower: () => lending.borrow(owners[(borrower += 3) % LOANS] ?? 0n, 50n, 200n),
        adder: () => {
          const { owner, loanNo } = next()
          const input = { loanNo, amount: WHOLE, requestId: lending.requestId() }
          return lending.handlers['POST lending/addCollateral'](input, lending.contextOf(owner))
        },
      }
    },
  })
  await using lending = race.lending
  const outcomes = await runAtOnce(race.parties, 90)
  expect(countOf(outcomes['close'], 'accepted')).toBe(15)
  for (const party of ['payer', 'ender', 'watcher', 'borrower']) {
    expect(countOf(outcomes[party], 'accepted'), party).toBeGreaterThan(0)
  }
  for (const outcome of Object.values(outcomes).flat()) expect(['accepted', 4201, 4203, 4301, 4303]).toContain(outcome)
  const today = utcDay(lending.clock.now())
  const rows = await lending.db.selectFrom('loan_with_debt').selectAll().orderBy('id').execute()
  const states = new Set(rows.map(({ state }) => state))
  expect([...states]).toEqual(expect.arrayContaining(['active', 'repaid', 'liquidated']))
  for (const row of rows) {
    const days = interestDays(row.opened_on, today)
    // All payments of today came after the charge of today: each day is charged on what was lent.
    expect([row.loan_no, row.interest_charged]).toEqual([row.loan_no, interestOf(row.lent, BigInt(row.rate_ppm), days)])
    expect(row.interest_through >= today, row.loan_no).toBe(true)
  }
  // Rows and ledger are equal, and the interest of each loan follows from its principal.
  await lending.expectSound()
  expect(await lending.db.selectFrom('loan_day').select('closed_at').where('day', '=', today).execute()).toEqual([
    { closed_at: lending.clock.now() },
  ])
  await lending.closeDay(today)
  await lending.expectSound()
})
