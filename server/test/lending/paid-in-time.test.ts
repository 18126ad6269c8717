import { addDays } from '@candela/protocol/calendar'
import { platformAccount } from '@candela/server/ledger/chart'
import { expect, test } from 'vitest'
import { FIRST_DAY, type Scenario, startLending, WHOLE } from './lending-scenario.ts'
import { payOnChain } from './pay-on-chain.ts'

/** Sixty days after the due date of a loan over 30 days. */
const DEFAULT_DAY = addDays(FIRST_DAY, 90)
const dayBefore = addDays(DEFAULT_DAY, -1)

/** Two loans that nobody has paid, just before midnight of the day on which they are in default. */
async function twoBeforeDefault() {
  const lending = await startLending()
  const loans = [await lending.borrow(lending.alice, 1_000n, 1_000n), await lending.borrow(lending.bob, 1_000n, 1_000n)]
  await lending.closeDay(addDays(dayBefore, -1))
  lending.clock.set(`${dayBefore}T23:59:50.000Z`)
  const [paid, unpaid] = loans.map(({ loanNo }) => loanNo)
  return { lending, chain: payOnChain(lending), paid: paid ?? '', unpaid: unpaid ?? '' }
}

const stateOf = async (lending: Scenario, memberId: bigint, loanNo: string) =>
  (await lending.detail(memberId, loanNo)).loan.state
const isSold = async (lending: Scenario, memberId: bigint, loanNo: string) =>
  (await lending.detail(memberId, loanNo)).liquidations.length > 0

test('a loan that is paid in full in a block before its default is not sold while the payment waits for its confirmations', async () => {
  const { lending, chain, paid, unpaid } = await twoBeforeDefault()
  await using _ = lending
  const { payoff } = await lending.payoff(lending.alice, paid)
  await chain.pay({
    reference: paid,
    amount: BigInt(Math.round(Number(payoff) * 1_000)) + 1n,
    confirmations: 1_000_000,
  })
  lending.clock.set(`${DEFAULT_DAY}T00:00:05.000Z`)
  await lending.goOn()
  await lending.watch()
  expect([await isSold(lending, lending.alice, paid), await isSold(lending, lending.bob, unpaid)]).toEqual([
    false,
    true,
  ])
  await lending.closeDay(dayBefore)
  await lending.watch()
  await lending.db.updateTable('chain_event').set({ confirmations_needed: 1 }).execute()
  expect(await chain.credit()).toEqual({ credited: 1, failed: 0 })
  expect(await stateOf(lending, lending.alice, paid)).toBe('repaid')
  expect(await lending.available(lending.alice, 'JU')).toBe('10000')
  await lending.expectSound()
})

test('nothing is sold for a default before a block of its day is followed, nor while crediting is halted', async () => {
  const { lending, chain, unpaid } = await twoBeforeDefault()
  await using _ = lending
  await chain.pay()
  lending.clock.set(`${DEFAULT_DAY}T00:00:05.000Z`)
  expect(await lending.watch()).toBe(0)
  await lending.goOn()
  await lending.db.updateTable('chain_cursor').set({ halted_reason: 'a reorganisation' }).execute()
  expect(await lending.watch()).toBe(0)
  await lending.db.updateTable('chain_cursor').set({ halted_reason: null }).execute()
  expect(await lending.watch()).toBe(2)
  expect(await isSold(lending, lending.bob, unpaid)).toBe(true)
  await lending.expectSound()
})

test('what is on the way is not sold for, and secures nothing: the collateral that is left goes back with its crediting', async () => {
  const { lending, chain, paid } = await twoBeforeDefault()
  await using _ = lending
  await chain.pay({ reference: paid, amount: 500_000n, confirmations: 1_000_000 })
  lending.clock.set(`${DEFAULT_DAY}T00:00:05.000Z`)
  await lending.goOn()
  await lending.watch()
  const { loan, liquidations } = await lending.detail(lending.alice, paid)
  const { repaid = '', principal = '', interest = '', charges = '', returned } = liquidations[0] ?? {}
  // The day of the sale was charged on 500 less besides.
  expect(Number(repaid)).toBeCloseTo(Number(principal) + Number(interest) + Number(charges) - 500, 0)
  expect(returned).toBe('0')
  expect(Number(loan.payoff)).toBeGreaterThan(499)
  expect(Number(loan.collateral)).toBeGreaterThan(600)
  await lending.db.updateTable('chain_event').set({ confirmations_needed: 1 }).execute()
  expect(await chain.credit()).toEqual({ credited: 1, failed: 0 })
  expect((await lending.detail(lending.alice, paid)).loan).toMatchObject({ state: 'repaid', collateral: '0' })
  await lending.expectSound()
})

test('a repayment of one unit in every block keeps no sale away', async () => {
  const { lending, chain, paid } = await twoBeforeDefault()
  await using _ = lending
  for (const time of ['00:00:05', '00:00:17', '00:00:29']) {
    lending.clock.set(`${DEFAULT_DAY}T${time}.000Z`)
    await chain.payExactly({ reference: paid, amount: 1n, confirmations: 1_000_000 })
  }
  await lending.watch()
  expect(await isSold(lending, lending.alice, paid)).toBe(true)
})

test('a payment on the way that brings a loan below its clearing line keeps the sale away; one that leaves a shortfall does not', async () => {
  await using lending = await startLending()
  const chain = payOnChain(lending)
  const loans = [await lending.borrow(lending.alice, 1_000n, 1_000n), await lending.borrow(lending.bob, 1_000n, 1_000n)]
  const [paid, unpaid] = [loans[0]?.loanNo ?? '', loans[1]?.loanNo ?? '']
  await lending.put(platformAccount('reserve', 'USDT'), 'USDT', 2_000n * WHOLE)
  await chain.pay({ reference: paid, amount: 400_000n, confirmations: 1_000_000 })
  lending.price('JU', 1_200)
  await lending.watch()
  expect([await isSold(lending, lending.alice, paid), await isSold(lending, lending.bob, unpaid)]).toEqual([
    false,
    true,
  ])
  lending.clock.advance(12_000)
  lending.price('JU', 300)
  await lending.watch()
  expect(await stateOf(lending, lending.alice, paid)).toBe('written-off')
  await lending.db.updateTable('chain_event').set({ confirmations_needed: 1 }).execute()
  expect(await chain.credit()).toEqual({ credited: 1, failed: 0 })
  expect(await lending.available(lending.alice, 'USDT')).toBe('2400')
  await lending.expectSound()
})

test('a sale that came before the payment was followed stands: what it repaid too much is the borrower’s', async () => {
  const { lending, chain, paid } = await twoBeforeDefault()
  await using _ = lending
  const inTime = lending.clock.now()
  lending.clock.set(`${DEFAULT_DAY}T00:00:05.000Z`)
  await chain.pay()
  expect(await lending.watch()).toBe(2)
  expect(await stateOf(lending, lending.alice, paid)).toBe('liquidated')
  lending.clock.set(inTime.toISOString())
  await chain.pay({ reference: paid, amount: 500_000n })
  lending.clock.set(`${DEFAULT_DAY}T00:10:00.000Z`)
  expect(await chain.credit()).toEqual({ credited: 1, failed: 0 })
  const { loan } = await lending.detail(lending.alice, paid)
  expect(loan).toMatchObject({ state: 'liquidated', payoff: '0' })
  // Besides the 1,000 that came from the loan; the day after was charged on 500 less.
  expect(Number(await lending.available(lending.alice, 'USDT'))).toBeGreaterThan(2_500)
  await lending.expectSound()
})

/** The chain has no block between two times. */
const standStill = (lending: Scenario, from: string, to: string) =>
  lending.db
    .insertInto('chain_standstill')
    .values({ block_number: 5n, from_at: new Date(from), to_at: new Date(to) })
    .execute()

test('a payment soon after a standstill of the chain counts so much earlier: what was due at midnight may come six hours after it', async () => {
  await using lending = await startLending()
  const chain = payOnChain(lending)
  const loans = [await lending.borrow(lending.alice, 1_000n, 1_000n), await lending.borrow(lending.bob, 1_000n, 1_000n)]
  const [soon, later] = [loans[0]?.loanNo ?? '', loans[1]?.loanNo ?? '']
  const due = loans[0]?.next?.dueOn ?? ''
  await lending.closeDay(addDays(due, -1))
  await standStill(lending, `${due}T20:00:00Z`, `${addDays(due, 1)}T02:00:00Z`)
  lending.clock.set(`${addDays(due, 1)}T05:59:59.000Z`)
  // Thirty days at 0.25.
  await chain.pay({ reference: soon, amount: 1_007_500n })
  lending.clock.set(`${addDays(due, 1)}T06:00:00.000Z`)
  await chain.pay({ reference: later, amount: 1_007_500n })
  await chain.credit()
  expect(await stateOf(lending, lending.alice, soon)).toBe('repaid')
  expect((await lending.detail(lending.bob, later)).loan).toMatchObject({ state: 'overdue', payoff: '0.25' })
  await lending.expectSound()
})

test('nothing is sold for a default until six hours after the first block that follows a standstill', async () => {
  const { lending, chain } = await twoBeforeDefault()
  await using _ = lending
  await standStill(lending, `${dayBefore}T18:00:00Z`, `${DEFAULT_DAY}T01:00:00Z`)
  lending.clock.set(`${DEFAULT_DAY}T06:59:59.000Z`)
  await chain.pay()
  expect(await lending.watch()).toBe(0)
  lending.clock.set(`${DEFAULT_DAY}T07:00:00.000Z`)
  await lending.goOn()
  expect(await lending.watch()).toBe(2)
})

test('a loan that is in default and at its clearing line is sold for its line while crediting is halted', async () => {
  const { lending, chain, paid } = await twoBeforeDefault()
  await using _ = lending
  lending.clock.set(`${DEFAULT_DAY}T00:00:05.000Z`)
  await chain.pay()
  await lending.db.updateTable('chain_cursor').set({ halted_reason: 'a reorganisation' }).execute()
  expect(await lending.watch()).toBe(0)
  lending.price('JU', 1_300)
  expect(await lending.watch()).toBe(2)
  expect((await lending.detail(lending.alice, paid)).liquidations).toMatchObject([{ reason: 'line' }])
})
