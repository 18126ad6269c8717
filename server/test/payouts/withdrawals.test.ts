import { startTestChain, type TestChain } from '@candela/testing/chain/test-chain'
import { requestIdNamed } from '@candela/testing/server/request-id-named'
import { WHOLE } from '@candela/server/modules/power/testing'
import { quoteWithdrawal } from '@candela/server/modules/withdraw/quote'
import { readQueueStatus } from '@candela/server/modules/withdraw/payout/queue-status'
import { startOperators } from '@candela/server/operator/testing-operators'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEPTH, limitPriceOf, type PayoutScenario, startPayoutScenario } from './payouts-scenario.ts'

let chain: TestChain
beforeAll(async () => {
  chain = await startTestChain({ atNoon: true })
})
afterAll(() => chain.stop())

/** A scenario with the operators ada and bob. */
async function startReviewed() {
  const scenario = await startPayoutScenario(chain)
  return { ...scenario, operators: await startOperators(scenario.url, scenario.clock) }
}

const quote = (scenario: PayoutScenario, asset: 'JU' | 'USDT', amount?: bigint) =>
  quoteWithdrawal(
    {
      db: scenario.db,
      readLimitPrice: (_db, of) => Promise.resolve(limitPriceOf(scenario.prices[of], scenario.pausedPrices[of])),
      readPauseReason: () => Promise.resolve(null),
    },
    { asset, amount },
    { memberId: scenario.memberOf(scenario.alice), now: scenario.clock.now() },
  )

describe('asking for it', () => {
  test('a quote says what will happen, and what is asked for is exactly that', async () => {
    await using scenario = await startPayoutScenario(chain)
    await scenario.deposit(scenario.alice, 'USDT', 100n * WHOLE)
    const shown = await quote(scenario, 'USDT', 40n * WHOLE)
    expect(shown).toEqual({
      asset: 'USDT',
      available: '100',
      fee: '1',
      minimum: '5',
      leftToday: '50000',
      leftThisMonth: '500000',
      received: '39',
      to: scenario.alice,
      needsReview: false,
      paused: false,
    })
    const made = await scenario.apply(scenario.alice, 'USDT', 40n * WHOLE, { fee: shown.fee })
    expect(made).toMatchObject({ received: '39', fee: '1', state: 'queued' })
    expect(await quote(scenario, 'USDT')).toMatchObject({ available: '60', received: null, leftToday: '49960' })
  })

  test('each refusal has its code, and leaves nothing behind', async () => {
    await using scenario = await startPayoutScenario(chain)
    const { alice, apply } = scenario
    await scenario.deposit(alice, 'USDT', 100n * WHOLE)
    await expect(apply(alice, 'USDT', 101n * WHOLE)).rejects.toMatchObject({ code: 4201 })
    await expect(apply(alice, 'USDT', 5n * WHOLE - 1n)).rejects.toMatchObject({ code: 4202, params: { minimum: '5' } })
    await expect(apply(alice, 'USDT', 50_001n * WHOLE)).rejects.toMatchObject({ code: 4203 })
    await expect(apply(alice, 'USDT', 10n * WHOLE, { fee: '0.5' })).rejects.toMatchObject({ code: 4204 })
    scenario.prices.JU = null
    await expect(apply(alice, 'JU', 10n * WHOLE)).rejects.toMatchObject({ code: 5031 })
    expect(await quote(scenario, 'JU', 10n * WHOLE)).toMatchObject({ leftToday: null, leftThisMonth: null })
    expect(await scenario.db.selectFrom('withdrawal').select('id').execute()).toEqual([])
    expect(await scenario.balances(alice, 'USDT')).toEqual({ available: 100n * WHOLE, held: 0n })
  })

  test('the limits count by worth over assets and calls at once, and start anew with the day and the month', async () => {
    await using scenario = await startReviewed()
    const { alice, apply, clock } = scenario
    await scenario.deposit(alice, 'USDT', 4_000n * WHOLE)
    await scenario.deposit(alice, 'JU', 2_000n * WHOLE)
    await scenario.operators.give('ada', 'setting', 'set', 'withdrawDayUsdt', '1000')
    await scenario.operators.give('ada', 'setting', 'set', 'withdrawMonthUsdt', '1500')
    clock.set('2026-12-30T23:00:00Z')
    await scenario.mineAtClock()
    await scenario.reconcile()
    // 100 JU are worth 200 USDT; of twenty at once the day takes five.
    const calls = await Promise.allSettled(
      Array.from({ length: 20 }, (_, nth) =>
        nth % 2 === 0 ? apply(alice, 'JU', 100n * WHOLE) : apply(alice, 'USDT', 200n * WHOLE),
      ),
    )
    const refused = calls.filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(15)
    for (const refusal of refused)
      expect(refusal).toMatchObject({ reason: { code: 4203, params: { limit: '0 USDT' } } })
    clock.set('2026-12-31T00:00:00Z')
    await expect(apply(alice, 'USDT', 501n * WHOLE)).rejects.toMatchObject({ params: { limit: '500 USDT' } })
    const last = await apply(alice, 'USDT', 500n * WHOLE)
    await expect(apply(alice, 'USDT', 10n * WHOLE)).rejects.toMatchObject({ code: 4203 })
    // What was given back does not count.
    await scenario.operators.give('ada', 'withdrawal', 'reject', last.withdrawalNo, '--note', 'please ask again')
    await apply(alice, 'USDT', 500n * WHOLE)
    clock.set('2027-01-01T00:00:00Z')
    await apply(alice, 'USDT', 400n * WHOLE)
  })

  test('a member has so many under way at the same time, and one more when one of them is over', async () => {
    await using scenario = await startReviewed()
    const { alice, apply } = scenario
    await scenario.deposit(alice, 'USDT', 100n * WHOLE)
    await scenario.deposit(alice, 'JU', 100n * WHOLE)
    await scenario.operators.give('ada', 'setting', 'set', 'openWithdrawals', '3')
    await scenario.operators.give('ada', 'setting', 'set', 'withdrawReviewUsdt', '15')
    const calls = await Promise.allSettled(
      Array.from({ length: 6 }, (_, nth) =>
        nth % 2 === 0 ? apply(alice, 'JU', 10n * WHOLE) : apply(alice, 'USDT', 10n * WHOLE),
      ),
    )
    const refused = calls.filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(3)
    for (const refusal of refused) expect(refusal).toMatchObject({ reason: { code: 4213, params: { limit: '3' } } })
    await expect(apply(alice, 'USDT', 10n * WHOLE)).rejects.toMatchObject({ code: 4213 })
    const [one] = await scenario.db.selectFrom('withdrawal').select('withdrawal_no').execute()
    await scenario.operators.give('ada', 'withdrawal', 'reject', one?.withdrawal_no ?? '', '--note', 'please ask again')
    await apply(alice, 'USDT', 10n * WHOLE)
  })

  test('while the price is paused the limits count at the highest price that is known, and a person looks', async () => {
    await using scenario = await startReviewed()
    const { alice, apply } = scenario
    await scenario.deposit(alice, 'JU', 1_000n * WHOLE)
    await scenario.operators.give('ada', 'setting', 'set', 'withdrawDayUsdt', '1000')
    await scenario.operators.give('ada', 'setting', 'set', 'withdrawTwoUsdt', '400')
    expect(await apply(alice, 'JU', 100n * WHOLE)).toMatchObject({ state: 'queued', reason: null })
    scenario.prices.JU = null
    scenario.pausedPrices.JU = 4n * WHOLE
    // 200 USDT of 1,000 are used, which leaves 200 JU at 4 USDT.
    expect(await quote(scenario, 'JU', WHOLE * 10n)).toMatchObject({ leftToday: '200', needsReview: true })
    await expect(apply(alice, 'JU', 200n * WHOLE + 1n)).rejects.toMatchObject({ code: 4203 })
    const small = await apply(alice, 'JU', 50n * WHOLE)
    expect(small).toMatchObject({ state: 'review', reason: 'pricePaused', estimatedAt: null })
    const large = await apply(alice, 'JU', 101n * WHOLE)
    expect(large).toMatchObject({ state: 'review', reason: 'pricePaused' })
    await expect(apply(alice, 'JU', 50n * WHOLE)).rejects.toMatchObject({ code: 4203 })
    const approvals = await scenario.db.selectFrom('withdrawal').select('approvals').orderBy('id').execute()
    expect(approvals.map((row) => row.approvals)).toEqual([0, 1, 2])
    // An approval is all that it needs, also while the price is still paused.
    await scenario.operators.give('ada', 'withdrawal', 'approve', small.withdrawalNo)
    await scenario.payOut()
    expect(await scenario.transactions()).toHaveLength(2)
  })

  test('the same request id gives the same withdrawal, with another input 4090', async () => {
    await using scenario = await startPayoutScenario(chain)
    await scenario.deposit(scenario.alice, 'USDT', 100n * WHOLE)
    const requestId = requestIdNamed('same-request', scenario.clock.now())
    const made = await Promise.all(
      Array.from({ length: 3 }, () => scenario.apply(scenario.alice, 'USDT', 10n * WHOLE, { requestId })),
    )
    expect(new Set(made.map(({ withdrawalNo }) => withdrawalNo)).size).toBe(1)
    await scenario.payOut()
    expect(await scenario.apply(scenario.alice, 'USDT', 10n * WHOLE, { requestId })).toMatchObject({ state: 'sending' })
    const other = scenario.apply(scenario.alice, 'USDT', 11n * WHOLE, { requestId })
    await expect(other).rejects.toMatchObject({ code: 4090 })
    expect((await scenario.balances(scenario.alice, 'USDT')).held).toBe(10n * WHOLE)
  })
})

describe('review', () => {
  test('above a limit one operator, above another two different ones; nothing is signed before', async () => {
    await using scenario = await startReviewed()
    await scenario.deposit(scenario.alice, 'USDT', 900n * WHOLE)
    await scenario.operators.give('ada', 'setting', 'set', 'withdrawReviewUsdt', '100')
    await scenario.operators.give('ada', 'setting', 'set', 'withdrawTwoUsdt', '200')
    expect(await quote(scenario, 'USDT', 101n * WHOLE)).toMatchObject({ needsReview: true })
    const small = await scenario.apply(scenario.alice, 'USDT', 100n * WHOLE)
    const one = await scenario.apply(scenario.alice, 'USDT', 101n * WHOLE)
    const two = await scenario.apply(scenario.alice, 'USDT', 201n * WHOLE)
    expect([small.state, one.state, two.state]).toEqual(['queued', 'review', 'review'])
    expect(two).toMatchObject({ reason: 'overLimit', estimatedAt: null })
    await scenario.payOut()
    expect(await scenario.transactions()).toHaveLength(1)
    expect(await scenario.operators.give('ada', 'withdrawal', 'list', '--state', 'review')).toMatchObject([
      { number: two.withdrawalNo, approved: '0/2', worthUsdt: '201' },
      { number: one.withdrawalNo, approved: '0/1' },
    ])
    const { give } = scenario.operators
    const approve = (operator: string, number: string) => give(operator, 'withdrawal', 'approve', number)
    expect(await approve('ada', one.withdrawalNo)).toMatchObject({ approvedBy: 'ada' })
    await expect(approve('bob', one.withdrawalNo)).rejects.toThrow('does not wait for review')
    expect(await approve('ada', two.withdrawalNo)).toMatchObject({
      state: expect.stringContaining('waits for another'),
    })
    expect(await give('ada', 'withdrawal', 'list', '--state', 'review')).toMatchObject([{ approved: '1/2' }])
    await expect(approve('ada', two.withdrawalNo)).rejects.toThrow('ada has signed this already')
    expect(await scenario.state(two.withdrawalNo)).toBe('review')
    expect(await approve('bob', two.withdrawalNo)).toMatchObject({ approvedBy: 'ada, bob' })
    await expect(approve('bob', 'NOSUCHNUMBER')).rejects.toThrow('there is no withdrawal')
    // Two payments of one member at a time.
    await scenario.mineAndFollow()
    await scenario.payOut()
    await scenario.mineAndFollow(DEPTH)
    await scenario.credit()
    expect(await scenario.state(two.withdrawalNo)).toBe('done')
    await scenario.expectSound()
    const approvals = await scenario.db
      .selectFrom('withdrawal_approval')
      .select('operator')
      .orderBy('operator')
      .execute()
    expect(approvals.map(({ operator }) => operator)).toEqual(['ada', 'ada', 'bob'])
  })

  test('rejecting gives the money back with the operator’s words; what is signed cannot be rejected', async () => {
    await using scenario = await startReviewed()
    await scenario.deposit(scenario.alice, 'USDT', 100n * WHOLE)
    const first = await scenario.apply(scenario.alice, 'USDT', 40n * WHOLE)
    const reject = (number: string) =>
      scenario.operators.give('ada', 'withdrawal', 'reject', number, '--note', 'the wallet is lost')
    await reject(first.withdrawalNo)
    expect((await scenario.withdrawal(first.withdrawalNo)).withdrawal).toMatchObject({
      state: 'rejected',
      reason: 'operator',
      note: 'the wallet is lost',
      timeline: [{ state: 'queued' }, { state: 'rejected' }],
    })
    await expect(reject(first.withdrawalNo)).rejects.toThrow('signed or over')
    const second = await scenario.apply(scenario.alice, 'USDT', 100n * WHOLE)
    await scenario.payOut()
    await expect(reject(second.withdrawalNo)).rejects.toThrow('signed or over')
    await scenario.mineAndFollow(DEPTH)
    await scenario.credit()
    await scenario.expectSound()
  })

  test('rejecting and signing at the same time: one of the two', async () => {
    await using scenario = await startReviewed()
    await scenario.deposit(scenario.alice, 'USDT', 100n * WHOLE)
    for (let round = 0; round < 5; round++) {
      const { withdrawalNo } = await scenario.apply(scenario.alice, 'USDT', 10n * WHOLE)
      const rejecting = scenario.operators.give('ada', 'withdrawal', 'reject', withdrawalNo, '--note', 'no')
      await Promise.allSettled([rejecting, scenario.payOut(), scenario.payOut()])
    }
    await scenario.payOut()
    await scenario.mineAndFollow(DEPTH)
    await scenario.credit()
    await scenario.expectSound()
  })

  test('a member whose credited payment left the chain is looked at first', async () => {
    await using scenario = await startPayoutScenario(chain)
    await scenario.deposit(scenario.alice, 'USDT', 100n * WHOLE)
    await scenario.deposit(scenario.bob, 'USDT', 100n * WHOLE)
    await scenario.db
      .updateTable('chain_event')
      .set({ orphaned_at: scenario.clock.now() })
      .where('payer', '=', scenario.alice)
      .execute()
    expect(await scenario.apply(scenario.alice, 'USDT', 10n * WHOLE)).toMatchObject({
      state: 'review',
      reason: 'flagged',
    })
    expect(await scenario.apply(scenario.bob, 'USDT', 10n * WHOLE)).toMatchObject({ state: 'queued' })
  })

  test('one that was queued before the payment left the chain is looked at before it is signed', async () => {
    await using scenario = await startReviewed()
    await scenario.deposit(scenario.alice, 'USDT', 100n * WHOLE)
    await scenario.deposit(scenario.bob, 'USDT', 100n * WHOLE)
    const { withdrawalNo } = await scenario.apply(scenario.alice, 'USDT', 10n * WHOLE)
    const other = await scenario.apply(scenario.bob, 'USDT', 10n * WHOLE)
    const leaves = (payer: string) =>
      scenario.db
        .updateTable('chain_event')
        .set({ orphaned_at: scenario.clock.now() })
        .where('payer', '=', payer)
        .execute()
    await leaves(scenario.alice)
    await scenario.payOut()
    expect(await scenario.state(other.withdrawalNo)).toBe('sending')
    expect(await scenario.transactions()).toHaveLength(1)
    const { withdrawal } = await scenario.withdrawal(withdrawalNo)
    expect(withdrawal).toMatchObject({ state: 'review', reason: 'flagged' })
    expect(withdrawal.timeline.map(({ state }) => state)).toEqual(['queued', 'review'])
    expect(scenario.log()).toContain('"event":"withdrawal.in-review"')
    // Approved with that known, it is paid.
    await scenario.operators.give('ada', 'withdrawal', 'approve', withdrawalNo)
    await scenario.payOut()
    expect(await scenario.state(withdrawalNo)).toBe('sending')
  })
})

test('the queue is counted, and its age is that of what waits for us', async () => {
  await using scenario = await startReviewed()
  const { db, clock } = scenario
  await scenario.deposit(scenario.alice, 'USDT', 100n * WHOLE)
  expect(await readQueueStatus(db, clock.now())).toEqual({ review: 0, queued: 0, sending: 0, age_s: 0 })
  await scenario.operators.give('ada', 'setting', 'set', 'withdrawReviewUsdt', '50')
  await scenario.apply(scenario.alice, 'USDT', 51n * WHOLE)
  clock.advance(5_000)
  await scenario.apply(scenario.alice, 'USDT', 10n * WHOLE)
  clock.advance(7_000)
  expect(await readQueueStatus(db, clock.now())).toEqual({ review: 1, queued: 1, sending: 0, age_s: 7 })
})

test('the operator sees the last comparison, and hears when there is none or an old one', async () => {
  await using scenario = await startReviewed()
  await expect(scenario.operators.give('ada', 'reconcile')).rejects.toThrow('nothing was compared yet')
  await scenario.deposit(scenario.alice, 'USDT', 100n * WHOLE)
  await scenario.reconcile()
  expect(await scenario.operators.give('ada', 'reconcile')).toMatchObject([
    { asset: 'HASH', expected: '0' },
    { asset: 'JU', difference: '0' },
    { asset: 'USDT', expected: '100', found: '100', difference: '0', withdrawals: 'open' },
  ])
  const book = scenario.operators.give('ada', 'reconcile', 'book', 'USDT', '--note', 'test', '--', '-0.5')
  await expect(book).rejects.toThrow('did not find -0.5 USDT')
  scenario.clock.advance(200_000)
  await expect(scenario.operators.give('ada', 'reconcile')).rejects.toThrow('the service does not run')
})
