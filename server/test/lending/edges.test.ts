import { installmentCounts, possibleCounts } from '@candela/protocol/lending/schedule'
import { toBaseUnits } from '@candela/protocol/money/money'
import { refused } from '@candela/testing/server/refused'
import { addDays } from '@candela/protocol/calendar'
import { platformAccount } from '@candela/server/ledger/chart'
import { readFund } from '@candela/server/modules/fund/read-fund'
import { describe, expect, test } from 'vitest'
import { FIRST_DAY, type Scenario, startLending, WHOLE } from './lending-scenario.ts'

/** A fund, a desk and debts that are as small, or as poor, as they can be. */

const deskUsdt = platformAccount('deskInventory', 'USDT')

const moveIn = (lending: Scenario, memberId: bigint, amount: bigint) =>
  lending.handlers['POST finance/transferIn'](
    { amount: amount * WHOLE, requestId: lending.requestId() },
    lending.contextOf(memberId),
  )
const moveAllOut = (lending: Scenario, memberId: bigint) =>
  lending.handlers['POST finance/transferOut'](
    { all: '1', requestId: lending.requestId() },
    lending.contextOf(memberId),
  )
const infoOf = (lending: Scenario, memberId: bigint) =>
  lending.handlers['GET finance/info']({}, lending.contextOf(memberId))

/** A loan has paid 0.25 of interest, of which the fund's part is 0.225, and the only member has left with its money. */
async function leaveEmptyFund(lending: Scenario): Promise<void> {
  const { loanNo } = await lending.borrow(lending.alice, 1_000n, 1_000n)
  await lending.repay(lending.alice, loanNo, 'full', '1001')
  await moveAllOut(lending, lending.fay)
}

describe('a fund that its last member has left, with interest of the day not counted yet', () => {
  test('closes its day: the interest goes to the reserve, and a share still costs 1 USDT', async () => {
    await using lending = await startLending({ fund: 1_000n })
    await leaveEmptyFund(lending)
    expect(await readFund(lending.db)).toMatchObject({ shares: 0n, assets: 0n, pending: toBaseUnits('0.225') })
    await lending.closeDay(FIRST_DAY)
    expect(await readFund(lending.db)).toMatchObject({
      assets: 0n,
      idle: 0n,
      pending: 0n,
      reserve: toBaseUnits('0.25'),
    })
    expect((await infoOf(lending, lending.bob)).price).toBe('1')
    await lending.expectSound()
  })

  test('whoever comes in next gets shares that are worth what was paid, at once and after the close', async () => {
    await using lending = await startLending({ fund: 1_000n })
    await leaveEmptyFund(lending)
    expect((await moveIn(lending, lending.bob, 100n)).holding.total).toBe('100')
    expect(await readFund(lending.db)).toMatchObject({ pending: 0n, reserve: toBaseUnits('0.25') })
    await lending.closeDay(FIRST_DAY)
    expect(await infoOf(lending, lending.bob)).toMatchObject({ total: '100', price: '1', cumulative: '0' })
    await lending.expectSound()
  })
})

test('a price that falls to nearly nothing in a day, with nearly the whole fund lent, costs the fund what it has', async () => {
  await using lending = await startLending({ fund: 1_000n, project: { rate: 730_000, initialRate: 500_000 } })
  const { alice, fay } = lending
  const { loanNo } = await lending.borrow(alice, 1_000n, 1_000n)
  lending.price('JU', 1)
  expect(await lending.watch()).toBe(1)
  expect((await lending.detail(alice, loanNo)).loan).toMatchObject({ state: 'written-off', payoff: '0' })
  expect(await readFund(lending.db)).toMatchObject({ assets: 0n })
  await lending.expectSound()
  expect(await infoOf(lending, fay)).toMatchObject({ total: '0' })
  expect(await refused(moveAllOut(lending, fay))).toBe(4201)
  // It goes on: what comes in is worth what was paid for it.
  await moveIn(lending, lending.bob, 100n)
  await lending.closeDay(FIRST_DAY)
  await lending.closeDay(addDays(FIRST_DAY, 1))
  expect(Number((await infoOf(lending, lending.bob)).total)).toBeCloseTo(100, 5)
  await lending.expectSound()
})

test('a desk with next to nothing sells nothing: no collateral goes for the fee alone', async () => {
  await using lending = await startLending({ desk: 0n })
  const { loanNo } = await lending.borrow(lending.alice, 1_000n, 1_000n)
  await lending.put(deskUsdt, 'USDT', 1n)
  lending.price('JU', 1_100)
  expect(await lending.watch()).toBe(0)
  const { loan, liquidations } = await lending.detail(lending.alice, loanNo)
  expect([loan.state, loan.collateral, liquidations]).toEqual(['liquidating', '1000', []])
  await lending.put(deskUsdt, 'USDT', 2_000n * WHOLE)
  expect(await lending.watch()).toBe(1)
  expect((await lending.detail(lending.alice, loanNo)).loan.state).toBe('liquidated')
  await lending.expectSound()
})

test('a debt below the handling fees is not turned into installments, and one of just as much is', async () => {
  await using lending = await startLending()
  const { alice } = lending
  const { loanNo } = await lending.borrow(alice, 1_000n, 1_000n)
  const schedule = () => lending.handlers['GET lending/schedule']({ loanNo, count: 12 }, lending.contextOf(alice))
  const convert = () =>
    lending.handlers['POST lending/installment'](
      { loanNo, count: 12, requestId: lending.requestId() },
      lending.contextOf(alice),
    )
  // 0.25 of interest first: 12 of principal are left, which is 12 handling fees of 1 USDT.
  await lending.repay(alice, loanNo, 'amount', '988.25')
  /** The counts that the app offers, and that the server does not refuse. */
  const offered = async () => {
    const { loan, terms } = await lending.detail(alice, loanNo)
    return possibleCounts(toBaseUnits(loan.principal), toBaseUnits(terms.installmentFee))
  }
  const accepted = async () => {
    const codes = await Promise.all(
      installmentCounts.map((count) =>
        refused(lending.handlers['GET lending/schedule']({ loanNo, count }, lending.contextOf(alice))),
      ),
    )
    return installmentCounts.filter((_, nth) => codes[nth] !== 4202)
  }
  expect([await offered(), await accepted()]).toEqual([installmentCounts, installmentCounts])
  const { principal, totalFees } = await schedule()
  expect([principal, totalFees]).toEqual(['12', '12'])
  await lending.repay(alice, loanNo, 'amount', '0.01')
  expect([await refused(schedule()), await refused(convert())]).toEqual([4202, 4202])
  expect([await offered(), await accepted()]).toEqual([
    [3, 6, 9],
    [3, 6, 9],
  ])
  await lending.repay(alice, loanNo, 'amount', '11.989999999999999999')
  expect((await lending.detail(alice, loanNo)).loan.principal).toBe('0.000000000000000001')
  expect(await refused(convert())).toBe(4202)
  expect([await offered(), await accepted()]).toEqual([[], []])
  await lending.expectSound()
})

test('a desk without enough of either side opens and closes no leveraged position, and nothing has happened', async () => {
  await using lending = await startLending({ desk: 0n })
  const { alice } = lending
  const balances = async () => [await lending.available(alice, 'USDT'), await lending.platform('fundIdle')]
  const open = (margin: bigint) =>
    lending.handlers['POST lever/open'](
      {
        asset: 'JU',
        margin: margin * WHOLE,
        ratio: 30,
        days: 30,
        minBought: 1n,
        acceptWarning: true,
        requestId: lending.requestId(),
      },
      lending.contextOf(alice),
    )
  const { loan } = await open(40n)
  // The desk has the 120 USDT of the purchase; for twice the price it would have to pay 240.
  lending.price('JU', 4_000)
  const close = () =>
    lending.handlers['POST lever/close'](
      { loanNo: loan.loanNo, percent: 100, minProceeds: 1n, requestId: lending.requestId() },
      lending.contextOf(alice),
    )
  const before = await balances()
  expect(await refused(close())).toBe(4206)
  expect([await balances(), (await lending.detail(alice, loan.loanNo)).loan.state]).toEqual([before, 'active'])
  await lending.put(deskUsdt, 'USDT', 1_000n * WHOLE)
  expect(await refused(close())).toBe('accepted')
  // At a millionth of the price the desk's million JU is too little.
  const rich = await balances()
  lending.price('JU', 1)
  expect(await refused(open(400n))).toBe(4206)
  expect(await balances()).toEqual(rich)
  await lending.expectSound()
})
