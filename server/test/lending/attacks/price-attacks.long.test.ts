import { addDays } from '@candela/protocol/calendar'
import { toBaseUnits } from '@candela/protocol/money/money'
import { readPrices } from '@candela/server/chain/price/price'
import { observedPair } from '@candela/server/chain/price/testing'
import { describe, expect, test } from 'vitest'
import { FIRST_DAY, type Scenario, startLending, WHOLE } from '../lending-scenario.ts'

/** The pairs are observed here as the service observes them, so the prices are those that a push of the pair makes. */

const MINUTE_S = 60
const HOUR_S = 3_600

/** A pair of JU and USDT, a million each, that was observed for eight days at 1 USDT until noon of the first day. */
async function startWithPair() {
  const lending = await startLending({ observed: true })
  const pair = observedPair(lending.db, { start: `${addDays(FIRST_DAY, -8)}T12:00:00.000Z` })
  /** Time in which the pair is observed every so often. */
  const pass = async (seconds: number, every_s = MINUTE_S) => {
    for (let passed = 0; passed < seconds; passed += every_s)
      await pair.observeAfter(Math.min(every_s, seconds - passed))
    lending.clock.set(pair.now().toISOString())
  }
  const passUntil = (time: string) => pass((new Date(time).getTime() - pair.now().getTime()) / 1_000, HOUR_S)
  await pair.observe()
  await passUntil(`${FIRST_DAY}T12:00:00.000Z`)
  return { lending, pair, pass, passUntil }
}

const soldOf = async (lending: Scenario, memberId: bigint, loanNo: string) =>
  (await lending.detail(memberId, loanNo)).liquidations

/** A loan that is in default on the last day of four after it is due. */
async function borrowUntilDefault({ lending, passUntil }: Awaited<ReturnType<typeof startWithPair>>) {
  await lending.db
    .insertInto('setting')
    .values({ key: 'defaultDays', value: '4', updated_at: lending.clock.now() })
    .execute()
  const { loanNo, dueOn } = await lending.borrow(lending.alice, 1_000n, 5_000n)
  const day = addDays(dueOn, 4)
  await passUntil(`${addDays(day, -1)}T23:50:00.000Z`)
  expect(await lending.watch()).toBe(0)
  return { loanNo, day }
}

describe('one pushed block', () => {
  test('sells nothing of a loan in default, which is sold at its price afterwards', async () => {
    const attack = await startWithPair()
    const { lending, pair, pass } = attack
    await using _ = lending
    const { loanNo } = await borrowUntilDefault(attack)
    await pass(10 * MINUTE_S)
    pair.trade(100)
    await pass(3)
    expect(await lending.watch()).toBe(0)
    pair.trade(1_000)
    await pass(3)
    expect(await lending.watch()).toBe(1)
    const [report] = await soldOf(lending, lending.alice, loanNo)
    expect(report).toMatchObject({ reason: 'default', spot: '1' })
    // Three seconds at a tenth are part of the half hour.
    expect(toBaseUnits(report?.salePrice ?? '0')).toBeGreaterThan((998n * WHOLE) / 1_000n)
    await lending.expectSound()
  })

  test('is not what collateral at its line is sold for', async () => {
    const { lending, pair, pass } = await startWithPair()
    await using _ = lending
    // At the clearing line of 80 % at 0.625.
    const { loanNo } = await lending.borrow(lending.alice, 3_000n, 6_001n)
    pair.trade(620)
    await pass(HOUR_S)
    pair.trade(62)
    await pass(3)
    expect(await lending.watch()).toBe(0)
    pair.trade(620)
    await pass(3)
    expect(await lending.watch()).toBe(1)
    const [report] = await soldOf(lending, lending.alice, loanNo)
    expect(report).toMatchObject({ full: false })
    expect(toBaseUnits(report?.watchPrice ?? '0')).toBeGreaterThan((6_199n * WHOLE) / 10_000n)
    expect(toBaseUnits(report?.salePrice ?? '0')).toBeGreaterThan((6n * WHOLE) / 10n)
    await lending.expectSound()
  })

  test('brings no loan to its line, and one that is swung is sold all the same, at a tenth below at worst', async () => {
    const { lending, pair, pass } = await startWithPair()
    await using _ = lending
    const { loanNo } = await lending.borrow(lending.alice, 3_000n, 6_001n)
    pair.trade(640)
    await pass(HOUR_S)
    pair.trade(62)
    await pass(3)
    expect(await lending.watch()).toBe(0)
    pair.trade(620)
    await pass(HOUR_S)
    // The borrower moves the pair in each block that is looked at, in turns.
    const began = pair.now().getTime()
    let looks = 0
    for (; (looks === 0 ? 0 : await lending.watch()) === 0; looks += 1) {
      pair.trade(620)
      await pass(37)
      pair.trade(looks % 2 === 0 ? 900 : 300)
      await pass(3)
    }
    expect(looks).toBeGreaterThan(10)
    expect(pair.now().getTime() - began).toBeLessThanOrEqual(11 * MINUTE_S * 1_000)
    const [report] = await soldOf(lending, lending.alice, loanNo)
    const price = toBaseUnits(report?.salePrice ?? '0')
    expect(price).toBeGreaterThanOrEqual((toBaseUnits(report?.watchPrice ?? '0') * 9n) / 10n)
    await lending.expectSound()
  })
})

describe('a borrower that lets its loan go into default', () => {
  test('does not choose what its collateral is sold at', async () => {
    const attack = await startWithPair()
    const { lending, pair, pass, passUntil } = attack
    await using _ = lending
    const { loanNo, day } = await borrowUntilDefault(attack)
    await passUntil(`${addDays(day, -1)}T23:20:00.000Z`)
    pair.trade(3_000)
    await pass(40 * MINUTE_S)
    expect(await lending.watch()).toBe(0)
    pair.trade(1_000)
    await pass(2 * HOUR_S)
    expect(await lending.watch()).toBe(1)
    const [report] = await soldOf(lending, lending.alice, loanNo)
    expect(toBaseUnits(report?.salePrice ?? '9')).toBeLessThanOrEqual(WHOLE)
  })

  test('is sold at its line once that price has held, and does not wait until it is in use', async () => {
    const attack = await startWithPair()
    const { lending, pair, pass } = attack
    await using _ = lending
    const { loanNo } = await borrowUntilDefault(attack)
    await pass(10 * MINUTE_S)
    // At the clearing line of 80 % at 0.25 and a little more for its interest.
    pair.trade(230)
    await pass(MINUTE_S)
    expect(await lending.watch()).toBe(0)
    await pass(5 * MINUTE_S)
    expect((await readPrices(lending.db, lending.clock.now())).JU).toMatchObject({ paused: true })
    expect(await lending.watch()).toBe(1)
    expect(await soldOf(lending, lending.alice, loanNo)).toMatchObject([{ reason: 'line', full: true }])
    await lending.expectSound()
  })

  test('is sold after three days of a paused price, and no higher than before', async () => {
    const attack = await startWithPair()
    const { lending, pair, pass, passUntil } = attack
    await using _ = lending
    const { loanNo, day } = await borrowUntilDefault(attack)
    pair.trade(3_000)
    await passUntil(`${day}T00:10:00.000Z`)
    const began = lending.clock.now().getTime()
    while ((await lending.watch()) === 0) {
      // Small payments do not begin the time anew.
      await lending.repay(lending.alice, loanNo, 'amount', '0.02')
      await pass(6 * HOUR_S, HOUR_S)
    }
    expect(lending.clock.now().getTime() - began).toBe(3 * 24 * HOUR_S * 1_000)
    const [report] = await soldOf(lending, lending.alice, loanNo)
    expect(report).toMatchObject({ reason: 'default', spot: '3' })
    expect(toBaseUnits(report?.salePrice ?? '9')).toBeLessThan((105n * WHOLE) / 100n)
    await lending.expectSound()
  })
})

describe('in one look', () => {
  test('no more is sold than the pair bears, the rest in later ones', async () => {
    await using lending = await startLending()
    const { alice } = lending
    // 1 % of 40,000.
    lending.rates.JU.liquidity = 40_000n * WHOLE
    const { loanNo } = await lending.borrow(alice, 1_000n, 1_000n)
    lending.rates.JU = { ...lending.rates.JU, spot: 1_050, average5: 1_050, average: 1_050 }
    expect(await lending.watch()).toBe(1)
    expect(await soldOf(lending, alice, loanNo)).toMatchObject([{ proceeds: '400', deskUsdt: '400', incomplete: true }])
    expect(await lending.watch()).toBe(1)
    expect(await lending.watch()).toBe(1)
    expect(await lending.watch()).toBe(0)
    const reports = await soldOf(lending, alice, loanNo)
    expect(reports.map(({ incomplete }) => incomplete)).toEqual([false, true, true])
    expect((await lending.detail(alice, loanNo)).loan.state).toBe('liquidated')
    await lending.expectSound()
  })

  test('the loan that most is missing of comes before many small ones that are farther beyond their line', async () => {
    await using lending = await startLending()
    const small = []
    for (let nth = 0; nth < 20; nth += 1) small.push(await lending.borrow(lending.alice, 10n, 10n))
    const large = await lending.borrow(lending.bob, 4_000n, 4_400n)
    // 1 % of 10,000 is a hundred, which the small ones could use up.
    lending.rates.JU = { spot: 1_100, average5: 1_100, average: 1_100, liquidity: 10_000n * WHOLE }
    expect(await lending.watch()).toBe(1)
    expect(await soldOf(lending, lending.bob, large.loanNo)).toHaveLength(1)
    expect(await soldOf(lending, lending.alice, small[0]!.loanNo)).toHaveLength(0)
    await lending.expectSound()
  })
})
