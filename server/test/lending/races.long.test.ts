import { toBaseUnits } from '@candela/protocol/money/money'
import { describe, expect, test } from 'vitest'
import { type Scenario, WHOLE } from './lending-scenario.ts'
import { refused } from '@candela/testing/server/refused'
import { countOf, runAtOnce, startRace } from './race.ts'
import { payOnChain } from './pay-on-chain.ts'

/** Fifty at once on one Postgres. Refusals are codes; a failure of the database would end the test. */

const stateOf = (lending: Scenario) =>
  lending.db
    .selectFrom('loan_with_debt')
    .select(['id', 'loan_no', 'state', 'principal', 'interest_charged', 'interest_paid', 'collateral'])
    .orderBy('id')
    .execute()

const liquidationsOf = async (lending: Scenario, id: bigint) =>
  (await lending.db.selectFrom('loan_liquidation').select('repaid').where('loan_id', '=', id).execute()).map(
    ({ repaid }) => repaid,
  )

const usdtOf = async (lending: Scenario, memberId: bigint) => toBaseUnits(await lending.available(memberId, 'USDT'))

describe('repaying twice', () => {
  test('pays once, by the balance or on chain, and the other money is still there', async () => {
    const race = await startRace({
      prepare: async (lending) => {
        const { loanNo } = await lending.borrow(lending.alice, 1_000n, 1_000n)
        const chain = payOnChain(lending)
        await chain.pay({ reference: loanNo, amount: 1_000_250n })
        return {
          balance: () => lending.repay(lending.alice, loanNo, 'full', '1001'),
          chain: () => chain.credit(),
        }
      },
    })
    await using lending = race.lending
    const before = await usdtOf(lending, lending.alice)
    const { balance } = await runAtOnce(race.parties, 50)
    expect(countOf(balance, 'accepted') + countOf(balance, 4303)).toBe(25)
    expect(countOf(balance, 'accepted')).toBeLessThanOrEqual(1)
    expect(await stateOf(lending)).toMatchObject([{ state: 'repaid', principal: 0n, collateral: 0n }])
    // 1,000.25 came on chain and 1,000.25 were owed, whichever of the two paid.
    expect(await usdtOf(lending, lending.alice)).toBe(before)
    expect(await lending.available(lending.alice, 'JU')).toBe('10000')
    await lending.expectSound()
  })

  test('with one request id pays once and answers all the same', async () => {
    const race = await startRace({
      prepare: async (lending) => {
        const { loanNo } = await lending.borrow(lending.alice, 1_000n, 1_000n)
        const requestId = lending.requestId()
        return { repeated: () => lending.repay(lending.alice, loanNo, 'amount', '100', requestId) }
      },
    })
    await using lending = race.lending
    const { repeated } = await runAtOnce(race.parties, 50)
    expect(countOf(repeated, 'accepted')).toBe(50)
    expect(await usdtOf(lending, lending.alice)).toBe(1_900n * WHOLE)
    await lending.expectSound()
  })
})

describe('repaying during a liquidation', () => {
  test('each loan is either repaid or liquidated, and never both', async () => {
    const race = await startRace({
      prepare: async (lending) => {
        const loans: string[] = []
        for (let nth = 0; nth < 8; nth += 1) loans.push((await lending.borrow(lending.alice, 100n, 100n)).loanNo)
        lending.price('JU', 1_180)
        let nth = 0
        const next = () => loans[nth++ % loans.length] ?? ''
        return {
          member: () => lending.repay(lending.alice, next(), 'full', '101'),
          watcher: async () => expect(await lending.watch()).toBeGreaterThanOrEqual(0),
        }
      },
    })
    await using lending = race.lending
    const { member, watcher } = await runAtOnce(race.parties, 50)
    expect(watcher).toEqual(Array.from({ length: 25 }, () => 'accepted'))
    let repaid = 0
    for (const loan of await stateOf(lending)) {
      const sales = await liquidationsOf(lending, loan.id)
      expect([loan.state, sales]).toEqual(
        loan.state === 'repaid' ? ['repaid', []] : ['liquidated', [toBaseUnits('100.025')]],
      )
      repaid += loan.state === 'repaid' ? 1 : 0
    }
    expect([countOf(member, 'accepted'), countOf(member, 4303)]).toEqual([repaid, 25 - repaid])
    expect(await usdtOf(lending, lending.alice)).toBe(1_800n * WHOLE - BigInt(repaid) * toBaseUnits('100.025'))
    await lending.expectSound()
  })

  test('payments of a part and the sale of a part together repay what they say', async () => {
    const race = await startRace({
      prepare: async (lending) => {
        const { loanNo } = await lending.borrow(lending.alice, 4_000n, 4_000n)
        lending.price('JU', 1_250)
        return { member: () => lending.repay(lending.alice, loanNo, 'amount', '1'), watcher: () => lending.watch() }
      },
    })
    await using lending = race.lending
    const { member } = await runAtOnce(race.parties, 50)
    expect(countOf(member, 'accepted')).toBe(25)
    const [loan] = await stateOf(lending)
    const sales = await liquidationsOf(lending, loan?.id ?? 0n)
    // A payment that came first may have brought it below the line, so that nothing is sold.
    expect(sales.length).toBeLessThanOrEqual(1)
    const left = (loan?.principal ?? 0n) + (loan?.interest_charged ?? 0n) - (loan?.interest_paid ?? 0n)
    expect(left).toBe(4_001n * WHOLE - 25n * WHOLE - (sales[0] ?? 0n))
    await lending.expectSound()
  })
})

test('a position that is closed while the watcher liquidates is sold once', async () => {
  const race = await startRace({
    prepare: async (lending) => {
      const positions: string[] = []
      for (let nth = 0; nth < 8; nth += 1) positions.push(await openPosition(lending))
      // 59.82 JU against 80.04 USDT: above the clearing line, and worth more than is owed.
      lending.price('JU', 1_450)
      let nth = 0
      return {
        member: () => closePosition(lending, positions[nth++ % positions.length] ?? ''),
        watcher: () => lending.watch(),
      }
    },
  })
  await using lending = race.lending
  const { member, watcher } = await runAtOnce(race.parties, 50)
  expect(countOf(watcher, 'accepted')).toBe(25)
  let closed = 0
  for (const { id, state, collateral } of await stateOf(lending)) {
    expect([(await liquidationsOf(lending, id)).length, collateral]).toEqual([state === 'liquidated' ? 1 : 0, 0n])
    expect(['repaid', 'liquidated']).toContain(state)
    closed += state === 'repaid' ? 1 : 0
  }
  expect([countOf(member, 'accepted'), countOf(member, 4303)]).toEqual([closed, 25 - closed])
  await lending.expectSound()
})

async function openPosition(lending: Scenario): Promise<string> {
  const input = { asset: 'JU' as const, margin: 40n * WHOLE, ratio: 30, days: 30, minBought: 1n, acceptWarning: true }
  const call = { ...input, requestId: lending.requestId() }
  return (await lending.handlers['POST lever/open'](call, lending.contextOf(lending.alice))).loan.loanNo
}

const closePosition = (lending: Scenario, loanNo: string) =>
  lending.handlers['POST lever/close'](
    { loanNo, percent: 100, minProceeds: 1n, requestId: lending.requestId() },
    lending.contextOf(lending.alice),
  )

const redeem = (lending: Scenario, memberId: bigint, amount: bigint) =>
  lending.handlers['POST finance/transferOut'](
    { amount: amount * WHOLE, requestId: lending.requestId() },
    lending.contextOf(memberId),
  )

describe('the last money of the fund', () => {
  test('is lent to as many as it is enough for, by several projects and with leverage', async () => {
    const race = await startRace({
      options: { fund: 850n },
      prepare: (lending) =>
        Promise.resolve({
          ju: () => lending.borrow(lending.alice, 80n, 200n),
          hash: () => lending.borrow(lending.bob, 80n, 500n, { project: lending.hashProjectNo }),
          lever: () => openPosition(lending),
        }),
    })
    await using lending = race.lending
    const outcomes = Object.values(await runAtOnce(race.parties, 50)).flat()
    expect([countOf(outcomes, 'accepted'), countOf(outcomes, 4302)]).toEqual([10, 40])
    expect(await lending.platform('fundIdle')).toBe('50')
    expect(await stateOf(lending)).toHaveLength(10)
    await lending.expectSound()
  })

  test('is paid out or lent, to as many as it is enough for', async () => {
    const race = await startRace({
      options: { fund: 1_000n },
      prepare: async (lending) => {
        await lending.borrow(lending.bob, 890n, 1_000n)
        const other = await lending.join({ USDT: 20n })
        await lending.handlers['POST finance/transferIn'](
          { amount: 20n * WHOLE, requestId: lending.requestId() },
          lending.contextOf(other),
        )
        return {
          holder: () => redeem(lending, lending.fay, 20n),
          borrower: () => lending.borrow(lending.alice, 20n, 100n),
          other: () => redeem(lending, other, 10n),
        }
      },
    })
    await using lending = race.lending
    const shares = await lending.platform('fundShares', 'SHARE' as never)
    const outcomes = await runAtOnce(race.parties, 50)
    const paid = 20 * countOf(outcomes['holder'], 'accepted') + 10 * countOf(outcomes['other'], 'accepted')
    const lent = 20 * countOf(outcomes['borrower'], 'accepted')
    const idle = Number(await lending.platform('fundIdle'))
    // 130 were idle. What is left is less than anybody asked for, or nobody had more shares.
    expect(paid + lent + idle).toBe(130)
    expect(idle).toBeLessThanOrEqual(10)
    for (const outcome of Object.values(outcomes).flat()) expect(['accepted', 4302, 4201]).toContain(outcome)
    expect(countOf(outcomes['holder'], 4201)).toBe(0)
    expect(await lending.platform('fundShares', 'SHARE' as never)).not.toBe(shares)
    await lending.expectSound()
  })
})

test('a price that pauses between quote and act lets nothing be half done', async () => {
  const race = await startRace({
    prepare: async (lending) => {
      const { loanNo } = await lending.borrow(lending.alice, 100n, 1_000n)
      const positions: string[] = []
      for (let nth = 0; nth < 2; nth += 1) positions.push(await openPosition(lending))
      const quote = { projectNo: lending.projectNo, amount: 100n * WHOLE, days: 30 }
      await lending.handlers['GET lending/quote'](quote, lending.contextOf(lending.bob))
      let nth = 0
      return {
        borrower: () => lending.borrow(lending.bob, 100n, 200n),
        opener: () => openPosition(lending),
        closer: () => closePosition(lending, positions[nth++ % positions.length] ?? ''),
        releaser: () =>
          lending.handlers['POST lending/releaseCollateral'](
            { loanNo, amount: WHOLE, requestId: lending.requestId() },
            lending.contextOf(lending.alice),
          ),
      }
    },
  })
  await using lending = race.lending
  const before = await stateOf(lending)
  // Paused between quote and act: nobody does anything.
  lending.rates.JU.pauseReason = 'halted'
  const paused = await runAtOnce(race.parties, 50)
  expect(Object.values(paused).flat()).toEqual(Array.from({ length: 50 }, () => 5031))
  expect(await stateOf(lending)).toEqual(before)
  // It pauses while they act: those that have read it before do all of it, and the others nothing.
  let reads = 0
  Object.defineProperty(lending.rates.JU, 'pauseReason', { get: () => ((reads += 1) > 24 ? 'halted' : undefined) })
  const outcomes = await runAtOnce(race.parties, 50)
  const all = Object.values(outcomes).flat()
  expect(countOf(all, 'accepted')).toBeGreaterThan(0)
  expect(countOf(all, 5031)).toBeGreaterThan(0)
  for (const outcome of all) expect(['accepted', 5031, 4303]).toContain(outcome)
  const after = await stateOf(lending)
  expect(after.length - before.length).toBe(
    countOf(outcomes['borrower'], 'accepted') + countOf(outcomes['opener'], 'accepted'),
  )
  expect(after.filter(({ state }) => state === 'repaid')).toHaveLength(countOf(outcomes['closer'], 'accepted'))
  expect(await refused(lending.borrow(lending.bob, 100n, 200n))).toBe(5031)
  await lending.expectSound()
})
