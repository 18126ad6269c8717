import { addDays } from '@candela/protocol/calendar'
import { fromBaseUnits, toBaseUnits } from '@candela/protocol/money/money'
import { closeLending } from '@candela/server/modules/lending/loan/daily/close-lending'
import { codes } from '@candela/protocol/codes/codes'
import { refused } from '@candela/testing/server/refused'
import { expect, test } from 'vitest'
import { accountBalance } from '@candela/server/ledger/balances'
import { platformAccount } from '@candela/server/ledger/chart'
import { readFund } from '@candela/server/modules/fund/read-fund'
import { FIRST_DAY, type Scenario, startLending, WHOLE } from './lending-scenario.ts'
import { payOnChain } from './pay-on-chain.ts'

/** Thousandths of USDT, as `payOnChain` takes them. Amounts here have no more digits. */
const thousandths = (amount: string): bigint => toBaseUnits(amount) / 10n ** 15n
const reserve = platformAccount('reserve', 'USDT')
const at = (lending: Scenario, day: string, time: string) => lending.clock.set(`${day}T${time}.000Z`)
const dayAfter = (days: number) => addDays(FIRST_DAY, days)

test('a pay-off of what was named, in a block before midnight, ends the loan though it is credited after the next day was charged', async () => {
  await using lending = await startLending()
  const chain = payOnChain(lending)
  const { alice } = lending
  const { loanNo } = await lending.borrow(alice, 1_000n, 1_000n)
  await lending.closeDay(FIRST_DAY)
  await lending.closeDay(dayAfter(1))
  at(lending, dayAfter(2), '23:59:40')
  const { payoff, expiresAt } = await lending.payoff(alice, loanNo)
  expect([payoff, expiresAt]).toEqual(['1000.5', `${dayAfter(3)}T00:00:00.000Z`])
  at(lending, dayAfter(2), '23:59:52')
  await chain.pay({ reference: loanNo, amount: thousandths(payoff) })
  await lending.closeDay(dayAfter(2))
  expect((await lending.detail(alice, loanNo)).loan.interest).toBe('0.75')
  expect(await chain.credit()).toEqual({ credited: 1, failed: 0 })

  const { loan } = await lending.detail(alice, loanNo)
  expect(loan).toMatchObject({ state: 'repaid', payoff: '0', collateral: '0' })
  expect(await lending.available(alice, 'JU')).toBe('10000')
  expect(await lending.available(alice, 'USDT')).toBe('2000')
  const { items } = await lending.handlers['GET lending/entries']({ loanNo, limit: 50 }, lending.contextOf(alice))
  // The sums are what the fund and what the reserve were owed of the 0.25.
  const corrected = items.filter(({ kind }) => kind === 'interest-correction')
  expect(corrected.map(({ part, amount, day }) => [part, amount, day])).toEqual([
    ['interest', '-0.025', dayAfter(2)],
    ['interest', '-0.225', dayAfter(2)],
  ])
  await lending.expectSound()
})

test('days that were not charged before a payment are charged as days, also when its block is of the day after our own', async () => {
  await using lending = await startLending()
  const chain = payOnChain(lending)
  const { alice } = lending
  const { loanNo } = await lending.borrow(alice, 1_000n, 1_000n)
  const charged = async () => {
    const { items } = await lending.handlers['GET lending/entries']({ loanNo, limit: 50 }, lending.contextOf(alice))
    expect(items.filter(({ kind }) => kind === 'interest-correction')).toEqual([])
    return [...new Set(items.filter(({ kind }) => kind === 'interest').map(({ day }) => String(day)))].toSorted()
  }
  at(lending, dayAfter(2), '12:00:00')
  await chain.pay({ reference: loanNo, amount: 100_000n })
  await chain.credit()
  expect(await charged()).toEqual([dayAfter(1), dayAfter(2)])
  at(lending, dayAfter(3), '00:00:02')
  await chain.pay({ reference: loanNo, amount: 100_000n })
  at(lending, dayAfter(2), '23:59:58')
  await chain.credit()
  expect(await charged()).toEqual([dayAfter(1), dayAfter(2), dayAfter(3)])
  await lending.expectSound()
})

test('an installment in a block of its day that is confirmed four days later costs neither their interest nor late charges', async () => {
  await using lending = await startLending()
  const chain = payOnChain(lending)
  const { alice } = lending
  const run = async (paidLate: boolean) => {
    const { loanNo } = await lending.borrow(alice, 900n, 1_000n, { days: 90 })
    const input = { loanNo, count: 3 as const, requestId: lending.requestId() }
    const { loan } = await lending.handlers['POST lending/installment'](input, lending.contextOf(alice))
    return { loanNo, dueOn: loan.next?.dueOn ?? '', paidLate }
  }
  const [late, inTime] = [await run(true), await run(false)]
  for (let day = FIRST_DAY; day < late.dueOn; day = addDays(day, 1)) await lending.closeDay(day)
  at(lending, late.dueOn, '23:50:00')
  const { next } = await lending.payoff(alice, late.loanNo)
  await lending.repay(alice, inTime.loanNo, 'next', next)
  const amount = toBaseUnits(next)
  await chain.payExactly({ reference: late.loanNo, amount })
  for (let nth = 0; nth < 4; nth += 1) await lending.closeDay(addDays(late.dueOn, nth))
  expect((await lending.detail(alice, late.loanNo)).loan).toMatchObject({ state: 'overdue' })
  expect(Number((await lending.detail(alice, late.loanNo)).loan.charges)).toBeGreaterThan(0)
  await chain.credit()
  const [one, other] = [await lending.detail(alice, late.loanNo), await lending.detail(alice, inTime.loanNo)]
  const { loanNo: _one, ...lateLoan } = one.loan
  const { loanNo: _other, ...inTimeLoan } = other.loan
  expect(lateLoan).toEqual(inTimeLoan)
  expect(one.dues).toEqual(other.dues)
  await lending.expectSound()
})

test('what was paid from the balance meanwhile is counted anew after the payment on chain, and what it need not pay comes back', async () => {
  await using lending = await startLending()
  const chain = payOnChain(lending)
  const { alice } = lending
  const { loanNo } = await lending.borrow(alice, 1_000n, 1_000n)
  await lending.closeDay(FIRST_DAY)
  await lending.closeDay(dayAfter(1))
  at(lending, dayAfter(2), '12:00:00')
  await chain.pay({ reference: loanNo, amount: 600_000n })
  await lending.closeDay(dayAfter(2))
  await lending.closeDay(dayAfter(3))
  await lending.repay(alice, loanNo, 'amount', '100')
  await lending.closeDay(dayAfter(4))
  const { payoff } = await lending.payoff(alice, loanNo)
  await lending.repay(alice, loanNo, 'full', payoff)
  expect((await lending.detail(alice, loanNo)).loan.state).toBe('repaid')
  await chain.credit()
  const { loan } = await lending.detail(alice, loanNo)
  expect(loan).toMatchObject({ state: 'repaid', principal: '0', interest: '0', collateral: '0' })
  await lending.expectSound()
  const row = await lending.db
    .selectFrom('loan_with_debt')
    .selectAll()
    .where('loan_no', '=', loanNo)
    .executeTakeFirstOrThrow()
  // At 0.00025 a day: two days of 1,000, two of 400.5, and one of the 300.70025 that 100 less the interest left.
  expect(fromBaseUnits(row.interest_charged)).toBe('0.7754250625')
  expect(await lending.available(alice, 'USDT')).toBe('1599.2245749375')
})

test('interest that the reserve must give back and has passed on is borne by the fund: the payment is credited, and the price falls', async () => {
  await using lending = await startLending()
  const chain = payOnChain(lending)
  const { alice, db } = lending
  const { loanNo } = await lending.borrow(alice, 1_000n, 1_000n)
  await lending.closeDay(FIRST_DAY)
  at(lending, dayAfter(1), '12:00:00')
  await chain.pay({ reference: loanNo, amount: 600_000n })
  for (let nth = 1; nth < 5; nth += 1) await lending.closeDay(dayAfter(nth))
  await lending.repay(alice, loanNo, 'amount', '100')
  await lending.closeDay(dayAfter(5))
  const { payoff } = await lending.payoff(alice, loanNo)
  await lending.repay(alice, loanNo, 'full', payoff)
  const had = await accountBalance(db, reserve)
  expect(had).toBeGreaterThan(0n)
  await lending.take(reserve, 'USDT', had)
  const before = await readFund(db)
  expect(await chain.credit()).toEqual({ credited: 1, failed: 0 })

  expect((await lending.detail(alice, loanNo)).loan).toMatchObject({ state: 'repaid', payoff: '0' })
  const row = await db.selectFrom('loan_with_debt').selectAll().executeTakeFirstOrThrow()
  // One day of 1,000, four of the 400.25 that were left, one of 300.65025: a tenth of it is the reserve’s.
  expect(fromBaseUnits(row.interest_charged)).toBe('0.7254125625')
  const short = had - row.interest_charged / 10n
  expect(short).toBeGreaterThan(0n)
  const price = await db.selectFrom('fund_price').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow()
  expect(price).toMatchObject({ reason: 'deficit', loan_no: loanNo, assets_before: before.assets })
  expect(await readFund(db)).toMatchObject({ assets: before.assets - short, reserve: 0n })
  expect(price.assets_before - price.assets_after).toBe(short)
  expect(toBaseUnits(await lending.available(alice, 'USDT'))).toBe(1_600n * WHOLE - row.interest_charged)
  await lending.expectSound()
})

test('a pay-off that comes into a block within 15 minutes after its midnight ends the loan: the reserve pays the day’s interest', async () => {
  await using lending = await startLending()
  const chain = payOnChain(lending)
  const { alice } = lending
  const loans = [await lending.borrow(alice, 1_000n, 1_000n), await lending.borrow(alice, 1_000n, 1_000n)]
  await lending.put(reserve, 'USDT', WHOLE)
  await lending.closeDay(FIRST_DAY)
  at(lending, dayAfter(2), '23:59:40')
  const { payoff } = await lending.payoff(alice, loans[0]?.loanNo ?? '')
  expect(payoff).toBe('1000.5')
  for (const [nth, time] of ['00:14:59', '00:15:00'].entries()) {
    at(lending, dayAfter(3), time)
    await chain.pay({ reference: loans[nth]?.loanNo ?? '', amount: 1_000_500n })
  }
  const reserveBefore = Number(await lending.platform('reserve'))
  await chain.credit()
  const [inTime, late] = await Promise.all(loans.map(({ loanNo }) => lending.detail(alice, loanNo)))
  expect(inTime?.loan).toMatchObject({ state: 'repaid', payoff: '0', collateral: '0' })
  expect(late?.loan).toMatchObject({ state: 'active', payoff: '0.25' })
  // A tenth of the interest of both was the reserve’s own.
  expect(Number(await lending.platform('reserve'))).toBeCloseTo(reserveBefore - 0.25 + 0.15, 9)
  const { items } = await lending.handlers['GET lending/entries'](
    { loanNo: loans[0]?.loanNo ?? '', limit: 50 },
    lending.contextOf(alice),
  )
  expect(items.filter(({ kind }) => kind === 'interest-waiver')).toMatchObject([
    { part: 'principal', amount: '-0.25', day: dayAfter(3) },
  ])
  await lending.expectSound()
})

test('a residue of more than a day’s interest, or one that the reserve cannot pay, is owed', async () => {
  await using lending = await startLending()
  const chain = payOnChain(lending)
  const { alice } = lending
  const loans = [await lending.borrow(alice, 1_000n, 1_000n), await lending.borrow(alice, 1_000n, 1_000n)]
  await lending.closeDay(FIRST_DAY)
  at(lending, dayAfter(3), '00:05:00')
  const [poor, rich] = loans.map(({ loanNo }) => loanNo)
  await chain.pay({ reference: poor ?? '', amount: 1_000_500n })
  await chain.credit()
  expect((await lending.detail(alice, poor ?? '')).loan).toMatchObject({ state: 'active', payoff: '0.25' })
  await lending.put(reserve, 'USDT', WHOLE)
  await chain.payExactly({ reference: rich ?? '', amount: 1_000_500n * (WHOLE / 1_000n) - 1n })
  await chain.credit()
  expect((await lending.detail(alice, rich ?? '')).loan).toMatchObject({ payoff: '0.250000000000000001' })
  await lending.expectSound()
})

test('of two residues in one look the reserve forgives the one that it can pay, and the other is owed', async () => {
  await using lending = await startLending()
  const chain = payOnChain(lending)
  const { alice } = lending
  const loans = [await lending.borrow(alice, 1_000n, 1_000n), await lending.borrow(alice, 1_000n, 1_000n)]
  const [first, second] = [loans[0]?.loanNo ?? '', loans[1]?.loanNo ?? '']
  // Enough for one, and for what a payment brings into the reserve.
  await lending.put(reserve, 'USDT', (WHOLE * 3n) / 10n)
  await lending.closeDay(FIRST_DAY)
  at(lending, dayAfter(3), '00:05:00')
  await chain.pay({ reference: first, amount: 1_000_500n }, { reference: second, amount: 1_000_500n })
  expect(await chain.credit()).toEqual({ credited: 2, failed: 0 })
  expect(chain.tries()).toBe(1)
  expect((await lending.detail(alice, first)).loan).toMatchObject({ state: 'repaid', payoff: '0' })
  expect((await lending.detail(alice, second)).loan).toMatchObject({ state: 'active', payoff: '0.25' })
  await lending.expectSound()
})

test('interest that a payment may take back is in no share price: of a loan that one names, and all of it while crediting is halted', async () => {
  await using lending = await startLending()
  const chain = payOnChain(lending)
  const { alice, bob, db } = lending
  const [named, other] = [await lending.borrow(alice, 1_000n, 1_000n), await lending.borrow(bob, 1_000n, 1_000n)]
  await chain.payExactly({ reference: named.loanNo, amount: WHOLE, confirmations: 1_000_000 })
  const closed = async (day: string) => {
    await lending.closeDay(day)
    const row = await db.selectFrom('fund_price').selectAll().where('day', '=', day).executeTakeFirstOrThrow()
    return fromBaseUnits(row.assets_after - row.assets_before)
  }
  // The fund’s nine tenths of the first day’s 0.25 of both, less what was charged since the day of the payment.
  expect(await closed(FIRST_DAY)).toBe('0.2')
  expect(await lending.platform('fundPending')).toBe('0.25')
  await db.updateTable('chain_cursor').set({ halted_reason: 'a reorganisation' }).execute()
  expect(await closed(dayAfter(1))).toBe('0')
  expect(await closed(dayAfter(2))).toBe('0')
  await db.updateTable('chain_cursor').set({ halted_reason: null }).execute()
  await db.updateTable('chain_event').set({ confirmations_needed: 1 }).execute()
  expect(await chain.credit()).toEqual({ credited: 1, failed: 0 })
  expect(Number(await closed(dayAfter(3)))).toBeGreaterThan(0.8)
  expect(other.loanNo).not.toBe(named.loanNo)
  await lending.expectSound()
})

test('a day of which blocks are not followed yet is closed without any interest', async () => {
  await using lending = await startLending()
  const chain = payOnChain(lending)
  await lending.borrow(lending.alice, 1_000n, 1_000n)
  await chain.pay()
  lending.clock.set(`${dayAfter(1)}T00:10:00.000Z`)
  const close = (day: string) => closeLending({ ...lending.loanDeps, clock: lending.clock }, day)
  expect(await close(FIRST_DAY)).toEqual([FIRST_DAY])
  expect(await lending.platform('fundPending')).not.toBe('0')
  await lending.closeDay(dayAfter(1))
  // Charged by the close itself, for the day after.
  expect(await lending.platform('fundPending')).toBe('0.225')
})

test('nobody enters the fund while days are not charged; who left and who stayed have what is theirs', async () => {
  await using lending = await startLending({ fund: 10_000n })
  const { alice, bob, fay } = lending
  await lending.borrow(alice, 4_000n, 4_000n)
  await lending.closeDay(FIRST_DAY)
  const enter = (amount: bigint) =>
    lending.handlers['POST finance/transferIn'](
      { amount: amount * WHOLE, requestId: lending.requestId() },
      lending.contextOf(bob),
    )
  // The closes of four days have not run.
  at(lending, dayAfter(5), '12:00:00')
  expect(await refused(enter(1_000n))).toBe(codes.fundClosing)
  await lending.closeDay(dayAfter(4))
  await enter(1_000n)
  // The close makes the days up to its own, and the next day begins uncharged again.
  at(lending, dayAfter(6), '00:00:01')
  expect(await refused(enter(1n))).toBe(codes.fundClosing)
  const worth = async (member: bigint) =>
    Number((await lending.handlers['GET finance/info']({}, lending.contextOf(member))).total)
  // Four days at 1 each are counted, less the reserve’s tenth.
  expect(await worth(fay)).toBeCloseTo(10_000 + 0.9 * 4, 6)
  expect(await worth(bob)).toBeLessThanOrEqual(1_000)
  await lending.expectSound()
})
