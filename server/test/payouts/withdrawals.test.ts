import { endpoints } from '@candela/protocol/endpoints'
import { startTestChain, type TestChain } from '@candela/testing/chain/test-chain'
import { requestIdNamed } from '@candela/testing/server/request-id-named'
import { WHOLE } from '@candela/server/modules/power/testing'
import { readQueueStatus } from '@candela/server/modules/withdraw/payout/queue-status'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEPTH, type PayoutScenario, startPayoutScenario } from './payouts-scenario.ts'
import { quote, startReviewed } from './reviewed-scenario.ts'

let chain: TestChain
beforeAll(async () => {
  chain = await startTestChain({ atNoon: true })
})
afterAll(() => chain.stop())

/** Waits until a transaction waits for a row that another one has locked. */
const untilOneWaits = ({ db }: PayoutScenario) =>
  expect
    .poll(async () => {
      const { rows } = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
      return rows.length
    })
    .toBeGreaterThan(0)

describe('asking for it', () => {
  test('a quote says what will happen, and what is asked for is exactly that', async () => {
    await using scenario = await startPayoutScenario(chain)
    await scenario.deposit(scenario.alice, 'USDT', 100n * WHOLE)
    await scenario.reconcile()
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
      // No call has asked the contract yet.
      expectedAt: null,
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
    await expect(apply(alice, 'USDT', 10n * WHOLE, { fee: '0.5' })).rejects.toMatchObject({
      code: 4211,
      params: { fee: '1 USDT' },
    })
    // However it is written, the same fee is the same input of a repetition.
    const { input } = endpoints['POST withdraw/apply']
    const fields = { asset: 'USDT', amount: '10', requestId: '01a2b3c4-0000-7000-8000-000000000000' }
    expect(input.parse({ ...fields, fee: '1.00' })).toEqual(input.parse({ ...fields, fee: '1' }))
    expect(input.safeParse({ ...fields, fee: 'one' }).success).toBe(false)
    scenario.prices.JU = null
    await expect(apply(alice, 'JU', 10n * WHOLE)).rejects.toMatchObject({ code: 5031 })
    expect(await quote(scenario, 'JU', 10n * WHOLE)).toMatchObject({ leftToday: null, leftThisMonth: null })
    expect(await scenario.db.selectFrom('withdrawal').select('id').execute()).toEqual([])
    expect(await scenario.balances(alice, 'USDT')).toEqual({ available: 100n * WHOLE, held: 0n })
  })

  test('the limits count by worth over assets and calls at once, and start anew with the day and the month', async () => {
    await using scenario = await startReviewed(chain)
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
      expect(refusal).toMatchObject({ reason: { code: 4215, params: { at: '2026-12-31 00:00 UTC' } } })
    clock.set('2026-12-31T00:00:00Z')
    await expect(apply(alice, 'USDT', 501n * WHOLE)).rejects.toMatchObject({ params: { limit: '500 USDT' } })
    const last = await apply(alice, 'USDT', 500n * WHOLE)
    await expect(apply(alice, 'USDT', 10n * WHOLE)).rejects.toMatchObject({
      code: 4215,
      params: { at: '2027-01-01 00:00 UTC' },
    })
    // A withdrawal that was given back does not count.
    await scenario.operators.give('ada', 'withdrawal', 'reject', last.withdrawalNo, '--note', 'please ask again')
    await apply(alice, 'USDT', 500n * WHOLE)
    clock.set('2027-01-01T00:00:00Z')
    await apply(alice, 'USDT', 400n * WHOLE)
  })

  test('a member has so many under way at the same time, and one more when one of them is over', async () => {
    await using scenario = await startReviewed(chain)
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
    await using scenario = await startReviewed(chain)
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

describe('taking it back', () => {
  test('all of what is queued or in review is available again at once; asked again, nothing more happens', async () => {
    await using scenario = await startReviewed(chain)
    const { alice, apply, takeBack, clock } = scenario
    await scenario.deposit(alice, 'USDT', 100n * WHOLE)
    await scenario.operators.give('ada', 'setting', 'set', 'withdrawReviewUsdt', '50')
    for (const [amount, state] of [
      [40n, 'queued'],
      [60n, 'review'],
    ] as const) {
      const { withdrawalNo } = await apply(alice, 'USDT', amount * WHOLE)
      expect((await scenario.balances(alice, 'USDT')).held).toBe(amount * WHOLE)
      const requestId = requestIdNamed(`back-${state}`, clock.now())
      const answers = await Promise.all([1, 2, 3].map(() => takeBack(alice, withdrawalNo, requestId)))
      for (const answer of [...answers, await takeBack(alice, withdrawalNo, requestId)])
        expect(answer).toMatchObject({
          state: 'rejected',
          reason: null,
          takenBackAt: clock.now().toISOString(),
          estimatedAt: null,
          timeline: [{ state }, { state: 'rejected' }],
        })
      expect(await scenario.balances(alice, 'USDT')).toEqual({ available: 100n * WHOLE, held: 0n })
      // Another wish, for what is over.
      await expect(takeBack(alice, withdrawalNo)).rejects.toMatchObject({ code: 4214 })
      const other = await apply(alice, 'USDT', 10n * WHOLE)
      await expect(takeBack(alice, other.withdrawalNo, requestId)).rejects.toMatchObject({ code: 4090 })
      await takeBack(alice, other.withdrawalNo)
    }
    // It counts in no limit, and its owner, who did it, is told nothing.
    expect(await quote(scenario, 'USDT')).toMatchObject({ leftToday: '50000' })
    expect(await scenario.db.selectFrom('notice').select('kind').where('kind', '!=', 'deposit').execute()).toEqual([])
    await scenario.payOut()
    expect(await scenario.transactions()).toEqual([])
    await scenario.expectSound()
  })

  test('only its owner takes it back, and only so often a day', async () => {
    await using scenario = await startReviewed(chain)
    const { alice, bob, apply, takeBack } = scenario
    await scenario.deposit(alice, 'USDT', 100n * WHOLE)
    const { withdrawalNo } = await apply(alice, 'USDT', 40n * WHOLE)
    await expect(takeBack(bob, withdrawalNo)).rejects.toMatchObject({ code: 404 })
    await expect(takeBack(alice, 'NOSUCHNUMBER')).rejects.toMatchObject({ code: 404 })
    await scenario.operators.give('ada', 'setting', 'set', 'freeCommandsPerDay', '1')
    await takeBack(alice, withdrawalNo)
    const next = await apply(alice, 'USDT', 40n * WHOLE)
    await expect(takeBack(alice, next.withdrawalNo)).rejects.toMatchObject({ code: 4212 })
    expect(await scenario.state(next.withdrawalNo)).toBe('queued')
  })

  test('one that is being signed at this moment is paid and not taken back; what is over is neither', async () => {
    await using scenario = await startPayoutScenario(chain)
    const { alice, takeBack, payoutDeps } = scenario
    await scenario.deposit(alice, 'USDT', 100n * WHOLE)
    const { withdrawalNo } = await scenario.apply(alice, 'USDT', 40n * WHOLE)
    const { signer } = payoutDeps()
    let taking: Promise<unknown> | undefined
    await scenario.payOut({
      signer: {
        ...signer,
        sign: async (call) => {
          taking ??= takeBack(alice, withdrawalNo).catch((error: unknown) => error)
          // It comes as far as the row, which is locked here.
          await untilOneWaits(scenario)
          return signer.sign(call)
        },
      },
    })
    expect(await taking).toMatchObject({ code: 4214 })
    expect(await scenario.state(withdrawalNo)).toBe('sending')
    await scenario.mineAndFollow(DEPTH)
    await expect(takeBack(alice, withdrawalNo)).rejects.toMatchObject({ code: 4214 })
    await scenario.credit()
    expect(await scenario.state(withdrawalNo)).toBe('done')
    await expect(takeBack(alice, withdrawalNo)).rejects.toMatchObject({ code: 4214 })
    await scenario.expectSound()
  })

  test('one that is taken back while its payment is tried is not signed', async () => {
    await using scenario = await startPayoutScenario(chain)
    const { alice, takeBack, payoutDeps } = scenario
    await scenario.deposit(alice, 'USDT', 100n * WHOLE)
    const { withdrawalNo } = await scenario.apply(alice, 'USDT', 40n * WHOLE)
    const { chain: real } = payoutDeps()
    let tried = 0
    await scenario.payOut({
      chain: {
        ...real,
        simulatePayout: async (...asked) => {
          if (++tried === 1) await takeBack(alice, withdrawalNo)
          return real.simulatePayout(...asked)
        },
      },
    })
    expect(tried).toBe(1)
    expect(await scenario.transactions()).toEqual([])
    expect(await scenario.state(withdrawalNo)).toBe('rejected')
    await scenario.expectSound()
  })

  test('many taken back and signed at the same time end one way or the other, and the books are right', async () => {
    await using scenario = await startPayoutScenario(chain)
    const { alice, bob, takeBack } = scenario
    await scenario.deposit(alice, 'USDT', 200n * WHOLE)
    await scenario.deposit(bob, 'USDT', 200n * WHOLE)
    const ends = new Set<string>()
    for (let round = 0; round < 4; round++) {
      const asked = [alice, bob].map((owner) =>
        scenario.apply(owner, 'USDT', 10n * WHOLE).then((made) => ({ owner, made })),
      )
      const taken = (await Promise.all(asked)).map(({ owner, made }) => async () => {
        const answer = await takeBack(owner, made.withdrawalNo).catch((error: unknown) => error)
        return { withdrawalNo: made.withdrawalNo, answer }
      })
      const paying = scenario.payOut()
      if (round % 2 === 0) await paying
      const [answers] = await Promise.all([Promise.all(taken.map((take) => take())), paying, scenario.payOut()])
      for (const { withdrawalNo, answer } of answers) {
        const state = await scenario.state(withdrawalNo)
        ends.add(String(state))
        expect({ state, answer }).toMatchObject(
          state === 'rejected' ? { answer: { state: 'rejected' } } : { answer: { code: 4214 } },
        )
      }
      await scenario.mineAndFollow(DEPTH)
      await scenario.credit()
    }
    expect(ends).toContain('sending')
    await scenario.expectSound()
  })
})

test('the queue is counted, and its age is that of what waits for us', async () => {
  await using scenario = await startReviewed(chain)
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
  await using scenario = await startReviewed(chain)
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
