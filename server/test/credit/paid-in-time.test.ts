import { addDays } from '@candela/protocol/calendar'
import { platformAccount } from '@candela/server/ledger/chart'
import { expect, test } from 'vitest'
import { FIRST_DAY, type Scenario, startCredit, WHOLE } from './credit-scenario.ts'
import { payOnChain } from './pay-on-chain.ts'

/** Sixty days after the due date of a loan over 30 days. */
const DEFAULT_DAY = addDays(FIRST_DAY, 90)
const dayBefore = addDays(DEFAULT_DAY, -1)

/** Two loans that nobody has paid, just before midnight of the day on which they are in default. */
async function twoBeforeDefault() {
  const credit = await startCredit()
  const loans = [await credit.borrow(credit.alice, 1_000n, 1_000n), await credit.borrow(credit.bob, 1_000n, 1_000n)]
  await credit.closeDay(addDays(dayBefore, -1))
  credit.clock.set(`${dayBefore}T23:59:50.000Z`)
  const [paid, unpaid] = loans.map(({ loanNo }) => loanNo)
  return { credit, chain: payOnChain(credit), paid: paid ?? '', unpaid: unpaid ?? '' }
}

const stateOf = async (credit: Scenario, memberId: bigint, loanNo: string) =>
  (await credit.detail(memberId, loanNo)).loan.state
const isSold = async (credit: Scenario, memberId: bigint, loanNo: string) =>
  (await credit.detail(memberId, loanNo)).liquidations.length > 0

test('a loan that is paid in full in a block before its default is not sold while the payment waits for its confirmations', async () => {
  const { credit, chain, paid, unpaid } = await twoBeforeDefault()
  await using _ = credit
  const { payoff } = await credit.payoff(credit.alice, paid)
  await chain.pay({
    reference: paid,
    amount: BigInt(Math.round(Number(payoff) * 1_000)) + 1n,
    confirmations: 1_000_000,
  })
  credit.clock.set(`${DEFAULT_DAY}T00:00:05.000Z`)
  await credit.goOn()
  await credit.watch()
  expect([await isSold(credit, credit.alice, paid), await isSold(credit, credit.bob, unpaid)]).toEqual([false, true])
  await credit.closeDay(dayBefore)
  await credit.watch()
  await credit.db.updateTable('chain_event').set({ confirmations_needed: 1 }).execute()
  expect(await chain.credit()).toEqual({ credited: 1, failed: 0 })
  expect(await stateOf(credit, credit.alice, paid)).toBe('repaid')
  expect(await credit.available(credit.alice, 'JU')).toBe('10000')
  await credit.expectSound()
})

test('nothing is sold for a default before a block of its day is followed, nor while crediting is halted', async () => {
  const { credit, chain, unpaid } = await twoBeforeDefault()
  await using _ = credit
  await chain.pay()
  credit.clock.set(`${DEFAULT_DAY}T00:00:05.000Z`)
  expect(await credit.watch()).toBe(0)
  await credit.goOn()
  await credit.db.updateTable('chain_cursor').set({ halted_reason: 'a reorganisation' }).execute()
  expect(await credit.watch()).toBe(0)
  await credit.db.updateTable('chain_cursor').set({ halted_reason: null }).execute()
  expect(await credit.watch()).toBe(2)
  expect(await isSold(credit, credit.bob, unpaid)).toBe(true)
  await credit.expectSound()
})

test('what is on the way is not sold for, and secures nothing: the collateral that is left goes back with its crediting', async () => {
  const { credit, chain, paid } = await twoBeforeDefault()
  await using _ = credit
  await chain.pay({ reference: paid, amount: 500_000n, confirmations: 1_000_000 })
  credit.clock.set(`${DEFAULT_DAY}T00:00:05.000Z`)
  await credit.goOn()
  await credit.watch()
  const { loan, liquidations } = await credit.detail(credit.alice, paid)
  const { repaid = '', principal = '', interest = '', charges = '', returned } = liquidations[0] ?? {}
  // The day of the sale was charged on 500 less besides.
  expect(Number(repaid)).toBeCloseTo(Number(principal) + Number(interest) + Number(charges) - 500, 0)
  expect(returned).toBe('0')
  expect(Number(loan.payoff)).toBeGreaterThan(499)
  expect(Number(loan.collateral)).toBeGreaterThan(600)
  await credit.db.updateTable('chain_event').set({ confirmations_needed: 1 }).execute()
  expect(await chain.credit()).toEqual({ credited: 1, failed: 0 })
  expect((await credit.detail(credit.alice, paid)).loan).toMatchObject({ state: 'repaid', collateral: '0' })
  await credit.expectSound()
})

test('a repayment of one unit in every block keeps no sale away', async () => {
  const { credit, chain, paid } = await twoBeforeDefault()
  await using _ = credit
  for (const time of ['00:00:05', '00:00:17', '00:00:29']) {
    credit.clock.set(`${DEFAULT_DAY}T${time}.000Z`)
    await chain.payExactly({ reference: paid, amount: 1n, confirmations: 1_000_000 })
  }
  await credit.watch()
  expect(await isSold(credit, credit.alice, paid)).toBe(true)
})

test('a payment on the way that brings a loan below its clearing line keeps the sale away; one that leaves a shortfall does not', async () => {
  await using credit = await startCredit()
  const chain = payOnChain(credit)
  const loans = [await credit.borrow(credit.alice, 1_000n, 1_000n), await credit.borrow(credit.bob, 1_000n, 1_000n)]
  const [paid, unpaid] = [loans[0]?.loanNo ?? '', loans[1]?.loanNo ?? '']
  await credit.put(platformAccount('reserve', 'USDT'), 'USDT', 2_000n * WHOLE)
  await chain.pay({ reference: paid, amount: 400_000n, confirmations: 1_000_000 })
  credit.price('JU', 1_200)
  await credit.watch()
  expect([await isSold(credit, credit.alice, paid), await isSold(credit, credit.bob, unpaid)]).toEqual([false, true])
  credit.price('JU', 300)
  await credit.watch()
  expect(await stateOf(credit, credit.alice, paid)).toBe('written-off')
  await credit.db.updateTable('chain_event').set({ confirmations_needed: 1 }).execute()
  expect(await chain.credit()).toEqual({ credited: 1, failed: 0 })
  expect(await credit.available(credit.alice, 'USDT')).toBe('2400')
  await credit.expectSound()
})

test('a payment on the way that most nodes do not have keeps no sale away', async () => {
  await using credit = await startCredit()
  const chain = payOnChain(credit)
  const loans = [await credit.borrow(credit.alice, 1_000n, 1_000n), await credit.borrow(credit.bob, 1_000n, 1_000n)]
  const [denied, paid] = [loans[0]?.loanNo ?? '', loans[1]?.loanNo ?? '']
  await chain.pay(
    { reference: denied, amount: 400_000n, confirmations: 1_000_000 },
    { reference: paid, amount: 400_000n, confirmations: 1_000_000 },
  )
  await credit.db
    .updateTable('chain_event')
    .set((update) => ({ denied_hash: update.ref('block_hash') }))
    .where('reference', '=', denied)
    .execute()
  credit.price('JU', 1_200)
  await credit.watch()
  expect([await isSold(credit, credit.alice, denied), await isSold(credit, credit.bob, paid)]).toEqual([true, false])
  await credit.expectSound()
})

test('a sale that came before the payment was followed stands: what it repaid too much is the borrower’s', async () => {
  const { credit, chain, paid } = await twoBeforeDefault()
  await using _ = credit
  const inTime = credit.clock.now()
  credit.clock.set(`${DEFAULT_DAY}T00:00:05.000Z`)
  await chain.pay()
  expect(await credit.watch()).toBe(2)
  expect(await stateOf(credit, credit.alice, paid)).toBe('liquidated')
  credit.clock.set(inTime.toISOString())
  await chain.pay({ reference: paid, amount: 500_000n })
  credit.clock.set(`${DEFAULT_DAY}T00:10:00.000Z`)
  expect(await chain.credit()).toEqual({ credited: 1, failed: 0 })
  const { loan } = await credit.detail(credit.alice, paid)
  expect(loan).toMatchObject({ state: 'liquidated', payoff: '0' })
  // Besides the 1,000 that came from the loan; the day after was charged on 500 less.
  expect(Number(await credit.available(credit.alice, 'USDT'))).toBeGreaterThan(2_500)
  await credit.expectSound()
})

/** The chain has no block between two times. */
const standStill = (credit: Scenario, from: string, to: string) =>
  credit.db
    .insertInto('chain_standstill')
    .values({ block_number: 5n, from_at: new Date(from), to_at: new Date(to) })
    .execute()

test('a payment soon after a standstill of the chain counts so much earlier: what was due at midnight may come six hours after it', async () => {
  await using credit = await startCredit()
  const chain = payOnChain(credit)
  const loans = [await credit.borrow(credit.alice, 1_000n, 1_000n), await credit.borrow(credit.bob, 1_000n, 1_000n)]
  const [soon, later] = [loans[0]?.loanNo ?? '', loans[1]?.loanNo ?? '']
  const due = loans[0]?.next?.dueOn ?? ''
  await credit.closeDay(addDays(due, -1))
  await standStill(credit, `${due}T20:00:00Z`, `${addDays(due, 1)}T02:00:00Z`)
  credit.clock.set(`${addDays(due, 1)}T05:59:59.000Z`)
  // Thirty days at 0.25.
  await chain.pay({ reference: soon, amount: 1_007_500n })
  credit.clock.set(`${addDays(due, 1)}T06:00:00.000Z`)
  await chain.pay({ reference: later, amount: 1_007_500n })
  await chain.credit()
  expect(await stateOf(credit, credit.alice, soon)).toBe('repaid')
  expect((await credit.detail(credit.bob, later)).loan).toMatchObject({ state: 'overdue', payoff: '0.25' })
  await credit.expectSound()
})

test('nothing is sold for a default until six hours after the first block that follows a standstill', async () => {
  const { credit, chain } = await twoBeforeDefault()
  await using _ = credit
  await standStill(credit, `${dayBefore}T18:00:00Z`, `${DEFAULT_DAY}T01:00:00Z`)
  credit.clock.set(`${DEFAULT_DAY}T06:59:59.000Z`)
  await chain.pay()
  expect(await credit.watch()).toBe(0)
  credit.clock.set(`${DEFAULT_DAY}T07:00:00.000Z`)
  await credit.goOn()
  expect(await credit.watch()).toBe(2)
})

test('a loan that is in default and at its clearing line is sold for its line while crediting is halted', async () => {
  const { credit, chain, paid } = await twoBeforeDefault()
  await using _ = credit
  credit.clock.set(`${DEFAULT_DAY}T00:00:05.000Z`)
  await chain.pay()
  await credit.db.updateTable('chain_cursor').set({ halted_reason: 'a reorganisation' }).execute()
  expect(await credit.watch()).toBe(0)
  credit.price('JU', 1_300)
  expect(await credit.watch()).toBe(2)
  expect((await credit.detail(credit.alice, paid)).liquidations).toMatchObject([{ reason: 'line' }])
})
