import { installmentCounts, possibleCounts } from '@candela/protocol/credit/schedule'
import { toBaseUnits } from '@candela/protocol/money/money'
import { refused } from '@candela/testing/server/refused'
import { addDays } from '@candela/protocol/calendar'
import { platformAccount } from '@candela/server/ledger/chart'
import { readFund } from '@candela/server/modules/fund/read-fund'
import { describe, expect, test } from 'vitest'
import { FIRST_DAY, type Scenario, startCredit, WHOLE } from './credit-scenario.ts'

/** A fund, a desk and debts that are as small, or as poor, as they can be. */

const deskUsdt = platformAccount('deskInventory', 'USDT')

const moveIn = (credit: Scenario, memberId: bigint, amount: bigint) =>
  credit.handlers['POST finance/transferIn'](
    { amount: amount * WHOLE, requestId: credit.requestId() },
    credit.contextOf(memberId),
  )
const moveAllOut = (credit: Scenario, memberId: bigint) =>
  credit.handlers['POST finance/transferOut']({ all: '1', requestId: credit.requestId() }, credit.contextOf(memberId))
const infoOf = (credit: Scenario, memberId: bigint) =>
  credit.handlers['GET finance/info']({}, credit.contextOf(memberId))

/** A loan has paid 0.25 of interest, of which the fund's part is 0.225, and the only member has left with its money. */
async function leaveEmptyFund(credit: Scenario): Promise<void> {
  const { loanNo } = await credit.borrow(credit.alice, 1_000n, 1_000n)
  await credit.repay(credit.alice, loanNo, 'full', '1001')
  await moveAllOut(credit, credit.fay)
}

describe('a fund that its last member has left, with interest of the day not counted yet', () => {
  test('closes its day: the interest goes to the reserve, and a share still costs 1 USDT', async () => {
    await using credit = await startCredit({ fund: 1_000n })
    await leaveEmptyFund(credit)
    expect(await readFund(credit.db)).toMatchObject({ shares: 0n, assets: 0n, pending: toBaseUnits('0.225') })
    await credit.closeDay(FIRST_DAY)
    expect(await readFund(credit.db)).toMatchObject({ assets: 0n, idle: 0n, pending: 0n, reserve: toBaseUnits('0.25') })
    expect((await infoOf(credit, credit.bob)).price).toBe('1')
    await credit.expectSound()
  })

  test('whoever comes in next gets shares that are worth what was paid, at once and after the close', async () => {
    await using credit = await startCredit({ fund: 1_000n })
    await leaveEmptyFund(credit)
    expect((await moveIn(credit, credit.bob, 100n)).holding.total).toBe('100')
    expect(await readFund(credit.db)).toMatchObject({ pending: 0n, reserve: toBaseUnits('0.25') })
    await credit.closeDay(FIRST_DAY)
    expect(await infoOf(credit, credit.bob)).toMatchObject({ total: '100', price: '1', cumulative: '0' })
    await credit.expectSound()
  })
})

test('a price that falls to nearly nothing in a day, with nearly the whole fund lent, costs the fund what it has', async () => {
  await using credit = await startCredit({ fund: 1_000n, project: { rate: 730_000, initialRate: 500_000 } })
  const { alice, fay } = credit
  const { loanNo } = await credit.borrow(alice, 1_000n, 1_000n)
  credit.price('JU', 1)
  expect(await credit.watch()).toBe(1)
  expect((await credit.detail(alice, loanNo)).loan).toMatchObject({ state: 'written-off', payoff: '0' })
  expect(await readFund(credit.db)).toMatchObject({ assets: 0n })
  await credit.expectSound()
  expect(await infoOf(credit, fay)).toMatchObject({ total: '0' })
  expect(await refused(moveAllOut(credit, fay))).toBe(4201)
  // It goes on: what comes in is worth what was paid for it.
  await moveIn(credit, credit.bob, 100n)
  await credit.closeDay(FIRST_DAY)
  await credit.closeDay(addDays(FIRST_DAY, 1))
  expect(Number((await infoOf(credit, credit.bob)).total)).toBeCloseTo(100, 5)
  await credit.expectSound()
})

test('a desk with next to nothing sells nothing: no collateral goes for the fee alone', async () => {
  await using credit = await startCredit({ desk: 0n })
  const { loanNo } = await credit.borrow(credit.alice, 1_000n, 1_000n)
  await credit.put(deskUsdt, 'USDT', 1n)
  credit.price('JU', 1_100)
  expect(await credit.watch()).toBe(0)
  const { loan, liquidations } = await credit.detail(credit.alice, loanNo)
  expect([loan.state, loan.collateral, liquidations]).toEqual(['liquidating', '1000', []])
  await credit.put(deskUsdt, 'USDT', 2_000n * WHOLE)
  expect(await credit.watch()).toBe(1)
  expect((await credit.detail(credit.alice, loanNo)).loan.state).toBe('liquidated')
  await credit.expectSound()
})

test('a debt below the handling fees is not turned into installments, and one of just as much is', async () => {
  await using credit = await startCredit()
  const { alice } = credit
  const { loanNo } = await credit.borrow(alice, 1_000n, 1_000n)
  const schedule = () => credit.handlers['GET lending/schedule']({ loanNo, count: 12 }, credit.contextOf(alice))
  const convert = () =>
    credit.handlers['POST lending/installment'](
      { loanNo, count: 12, requestId: credit.requestId() },
      credit.contextOf(alice),
    )
  // 0.25 of interest first: 12 of principal are left, which is 12 handling fees of 1 USDT.
  await credit.repay(alice, loanNo, 'amount', '988.25')
  /** What the app offers, and what the server does not refuse. */
  const offered = async () => {
    const { loan, terms } = await credit.detail(alice, loanNo)
    return possibleCounts(toBaseUnits(loan.principal), toBaseUnits(terms.installmentFee))
  }
  const accepted = async () => {
    const codes = await Promise.all(
      installmentCounts.map((count) =>
        refused(credit.handlers['GET lending/schedule']({ loanNo, count }, credit.contextOf(alice))),
      ),
    )
    return installmentCounts.filter((_, nth) => codes[nth] !== 4202)
  }
  expect([await offered(), await accepted()]).toEqual([installmentCounts, installmentCounts])
  const { principal, totalFees } = await schedule()
  expect([principal, totalFees]).toEqual(['12', '12'])
  await credit.repay(alice, loanNo, 'amount', '0.01')
  expect([await refused(schedule()), await refused(convert())]).toEqual([4202, 4202])
  expect([await offered(), await accepted()]).toEqual([
    [3, 6, 9],
    [3, 6, 9],
  ])
  await credit.repay(alice, loanNo, 'amount', '11.989999999999999999')
  expect((await credit.detail(alice, loanNo)).loan.principal).toBe('0.000000000000000001')
  expect(await refused(convert())).toBe(4202)
  expect([await offered(), await accepted()]).toEqual([[], []])
  await credit.expectSound()
})

test('a desk without enough of either side opens and closes no leveraged position, and nothing has happened', async () => {
  await using credit = await startCredit({ desk: 0n })
  const { alice } = credit
  const balances = async () => [await credit.available(alice, 'USDT'), await credit.platform('fundIdle')]
  const open = (margin: bigint) =>
    credit.handlers['POST lever/open'](
      {
        asset: 'JU',
        margin: margin * WHOLE,
        ratio: 30,
        days: 30,
        minBought: 1n,
        acceptWarning: true,
        requestId: credit.requestId(),
      },
      credit.contextOf(alice),
    )
  const { loan } = await open(40n)
  // The desk has the 120 USDT of the purchase; for twice the price it would have to pay 240.
  credit.price('JU', 4_000)
  const close = () =>
    credit.handlers['POST lever/close'](
      { loanNo: loan.loanNo, percent: 100, minProceeds: 1n, requestId: credit.requestId() },
      credit.contextOf(alice),
    )
  const before = await balances()
  expect(await refused(close())).toBe(4206)
  expect([await balances(), (await credit.detail(alice, loan.loanNo)).loan.state]).toEqual([before, 'active'])
  await credit.put(deskUsdt, 'USDT', 1_000n * WHOLE)
  expect(await refused(close())).toBe('accepted')
  // At a millionth of the price the desk's million JU is too little.
  const rich = await balances()
  credit.price('JU', 1)
  expect(await refused(open(400n))).toBe(4206)
  expect(await balances()).toEqual(rich)
  await credit.expectSound()
})
