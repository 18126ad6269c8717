import { startTestChain, type TestChain } from '@candela/testing/chain/test-chain'
import { DAY_MS } from '@candela/protocol/units'
import { WHOLE } from '@candela/server/modules/power/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEPTH, startPayoutScenario } from './payouts-scenario.ts'
import { quote, startReviewed } from './reviewed-scenario.ts'

let chain: TestChain
beforeAll(async () => {
  chain = await startTestChain({ atNoon: true })
})
afterAll(() => chain.stop())

describe('review', () => {
  test('above a limit one operator, above another two different ones; nothing is signed before', async () => {
    await using scenario = await startReviewed(chain)
    await scenario.deposit(scenario.alice, 'USDT', 900n * WHOLE)
    await scenario.operators.give('ada', 'setting', 'set', 'withdrawReviewUsdt', '100')
    await scenario.operators.give('ada', 'setting', 'set', 'withdrawTwoUsdt', '300')
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
    expect(await approve('ada', one.withdrawalNo)).toMatchObject([{ approvedBy: 'ada' }])
    await expect(approve('bob', one.withdrawalNo)).rejects.toThrow('does not wait for review')
    expect(await approve('ada', two.withdrawalNo)).toMatchObject({
      state: expect.stringContaining('waits for another'),
    })
    expect(await give('ada', 'withdrawal', 'list', '--state', 'review')).toMatchObject([{ approved: '1/2' }])
    await expect(approve('ada', two.withdrawalNo)).rejects.toThrow('ada has signed this already')
    expect(await scenario.state(two.withdrawalNo)).toBe('review')
    expect(await approve('bob', two.withdrawalNo)).toMatchObject([{ approvedBy: 'ada, bob' }])
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

  test('many small ones count together for 24 hours: what nobody has looked at passes no limit', async () => {
    await using scenario = await startReviewed(chain)
    const { alice, apply, clock } = scenario
    await scenario.deposit(alice, 'USDT', 900n * WHOLE)
    await scenario.operators.give('ada', 'setting', 'set', 'withdrawReviewUsdt', '100')
    await apply(alice, 'USDT', 60n * WHOLE)
    expect(await quote(scenario, 'USDT', 40n * WHOLE)).toMatchObject({ needsReview: false })
    expect(await quote(scenario, 'USDT', 41n * WHOLE)).toMatchObject({ needsReview: true })
    const over = await apply(alice, 'USDT', 41n * WHOLE)
    expect(over).toMatchObject({ state: 'review', reason: 'overLimit' })
    // Somebody looks at that one, so it does not count with what nobody looks at.
    expect(await apply(alice, 'USDT', 40n * WHOLE)).toMatchObject({ state: 'queued' })
    expect(await apply(alice, 'USDT', 5n * WHOLE)).toMatchObject({ state: 'review' })
    await scenario.deposit(scenario.bob, 'USDT', 50n * WHOLE)
    expect(await apply(scenario.bob, 'USDT', 50n * WHOLE)).toMatchObject({ state: 'queued' })
    clock.advance(DAY_MS)
    await scenario.mineAtClock()
    expect(await apply(alice, 'USDT', 100n * WHOLE)).toMatchObject({ state: 'queued' })
  })

  test('what waits for a price leaves review by itself when the price is back, and goes to its place in the queue', async () => {
    await using scenario = await startReviewed(chain)
    const { alice, apply } = scenario
    await scenario.deposit(alice, 'JU', 500n * WHOLE)
    await scenario.operators.give('ada', 'setting', 'set', 'withdrawReviewUsdt', '150')
    scenario.prices.JU = null
    scenario.pausedPrices.JU = 40n * WHOLE
    const small = await apply(alice, 'JU', 5n * WHOLE)
    const large = await apply(alice, 'JU', 80n * WHOLE)
    const other = await apply(alice, 'JU', 5n * WHOLE)
    await scenario.payOut()
    expect([small, large, other].map(({ state, reason }) => [state, reason])).toEqual(
      Array.from({ length: 3 }, () => ['review', 'pricePaused']),
    )
    expect(await scenario.state(small.withdrawalNo)).toBe('review')
    scenario.prices.JU = 2n * WHOLE
    await scenario.payOut()
    expect((await scenario.withdrawal(small.withdrawalNo)).withdrawal).toMatchObject({ state: 'sending', reason: null })
    expect(await scenario.state(other.withdrawalNo)).toBe('sending')
    // It is worth 160, which a person looks at whatever the price was.
    expect((await scenario.withdrawal(large.withdrawalNo)).withdrawal).toMatchObject({
      state: 'review',
      reason: 'overLimit',
    })
    // Their worth by a price that was not one does not use up the limits of the day.
    expect(await quote(scenario, 'JU')).toMatchObject({ leftToday: String((50_000 - 180) / 2) })
    const { timeline } = (await scenario.withdrawal(small.withdrawalNo)).withdrawal
    expect(timeline.map(({ state }) => state)).toEqual(['review', 'queued', 'sending'])
  })

  test('whoever was flagged meanwhile stays in review when the price is back', async () => {
    await using scenario = await startReviewed(chain)
    await scenario.deposit(scenario.alice, 'JU', 100n * WHOLE)
    scenario.prices.JU = null
    scenario.pausedPrices.JU = 2n * WHOLE
    const { withdrawalNo } = await scenario.apply(scenario.alice, 'JU', 5n * WHOLE)
    await scenario.db.updateTable('chain_event').set({ orphaned_at: scenario.clock.now() }).execute()
    scenario.prices.JU = 2n * WHOLE
    await scenario.payOut()
    expect((await scenario.withdrawal(withdrawalNo)).withdrawal).toMatchObject({ state: 'review', reason: 'flagged' })
  })

  test('several are approved in one command, with two operators when one of them needs two', async () => {
    await using scenario = await startReviewed(chain)
    await scenario.deposit(scenario.alice, 'USDT', 900n * WHOLE)
    const { give } = scenario.operators
    await give('ada', 'setting', 'set', 'withdrawReviewUsdt', '10')
    const small: string[] = []
    for (let nth = 0; nth < 4; nth++)
      small.push((await scenario.apply(scenario.alice, 'USDT', 11n * WHOLE)).withdrawalNo)
    const [gone = '', ...others] = small
    await give('ada', 'withdrawal', 'approve', gone)
    expect(await give('ada', 'withdrawal', 'approve', ...small)).toEqual([
      { number: gone, approvedBy: null },
      ...others.map((number) => ({ number, approvedBy: 'ada' })),
    ])
    await expect(give('ada', 'withdrawal', 'approve', ...small)).rejects.toThrow('does not wait for review')
    await give('ada', 'setting', 'set', 'withdrawTwoUsdt', '100')
    const [one, two] = [
      (await scenario.apply(scenario.alice, 'USDT', 11n * WHOLE)).withdrawalNo,
      (await scenario.apply(scenario.alice, 'USDT', 90n * WHOLE)).withdrawalNo,
    ]
    await expect(give('ada', 'withdrawal', 'approve', one, 'NOSUCHNUMBER')).rejects.toThrow('there is no withdrawal')
    expect(await give('ada', 'withdrawal', 'approve', one, two)).toMatchObject({
      state: expect.stringContaining('waits for another'),
    })
    expect(await give('ada', 'withdrawal', 'list', '--state', 'review')).toMatchObject([
      { number: two, approved: '1/2' },
      { number: one, approved: '1/1' },
    ])
    expect(await scenario.state(one)).toBe('review')
    expect(await give('bob', 'withdrawal', 'approve', one, two)).toMatchObject([{ number: one }, { number: two }])
    expect(await scenario.state(two)).toBe('queued')
  })

  test('rejecting gives the money back with the operator’s words; what is signed cannot be rejected', async () => {
    await using scenario = await startReviewed(chain)
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
    await using scenario = await startReviewed(chain)
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
    await using scenario = await startReviewed(chain)
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
