import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { transaction } from '../../db/open.ts'
import { silentLog } from '../../kernel/log.ts'
import { creditPayments, type SettlePayments } from './credit-payments.ts'
import { initialSyncState, type FollowDeps, followOnce } from '../follow/follow-blocks.ts'
import { resumeCrediting } from '../follow/start-following.ts'
import { listTroubledPayments } from '../follow/status.ts'
import { startTestChain, type TestChain } from '@candela/testing/chain/test-chain'
import {
  expectCreditedOnce,
  paidOnChain,
  postingOf,
  recordedKeys,
  startFollowingChain,
  toSuspense,
} from '@candela/testing/chain/follower'

let chain: TestChain
beforeAll(async () => {
  chain = await startTestChain()
})
afterAll(() => chain.stop())

describe('exactly once', () => {
  test('four workers and two followers at once credit each payment once', async () => {
    await using setting = await startFollowingChain(chain)
    for (let nth = 0; nth < 60; nth++) {
      await chain.pay({ amount: BigInt(nth + 1) })
      if (nth % 10 === 9) await chain.mine()
    }
    await chain.mine(2)
    const followers = Promise.all([1, 2].map(() => setting.follow()))
    const workers = [1, 2, 3, 4].map(async () => {
      let credited = 0
      for (let round = 0; round < 12; round++) {
        const deps = { db: setting.db, clock: setting.clock, log: silentLog(), batchSize: 7 }
        credited += (await creditPayments(deps, toSuspense)).credited
      }
      return credited
    })
    await followers
    const counts = await Promise.all(workers)
    const rest = await setting.credit()
    expect(counts.reduce((sum, count) => sum + count, 0) + rest.credited).toBe(60)
    await expectCreditedOnce(setting)
  })

  test('a follower that was overtaken writes nothing and moves nothing back', async () => {
    await using setting = await startFollowingChain(chain)
    for (let nth = 0; nth < 3; nth++) {
      await chain.pay({ amount: BigInt(nth + 1) })
      await chain.mine()
    }
    const { reader } = setting.deps
    const slow: FollowDeps = {
      ...setting.deps,
      reader: {
        ...reader,
        async paymentsOf(block) {
          await setting.follow()
          return reader.paymentsOf(block)
        },
      },
    }
    const head = await chain.client.getBlockNumber()
    await followOnce(slow, { ...initialSyncState(), blocks: 1n })
    expect(await setting.status()).toMatchObject({ followed: head, lag_blocks: 0n })
    expect(recordedKeys(await setting.events())).toEqual(await paidOnChain(chain, setting))
  })

  test('all that was recorded is lost and read again: the ledger is not credited twice', async () => {
    await using setting = await startFollowingChain(chain)
    for (let nth = 0; nth < 5; nth++) await chain.pay({ amount: BigInt(nth + 1) })
    await chain.mine(3)
    await setting.follow()
    expect((await setting.credit()).credited).toBe(5)
    await setting.db.deleteFrom('chain_event').execute()
    await setting.db.deleteFrom('chain_block').execute()
    await setting.db
      .updateTable('chain_cursor')
      .set({ followed: setting.startBlock - 1n, followed_hash: null })
      .execute()
    await setting.follow()
    expect((await setting.credit()).credited).toBe(5)
    await expectCreditedOnce(setting)
  })

  test('a payment that comes back with other terms after it was credited is neither lost nor credited', async () => {
    await using setting = await startFollowingChain(chain)
    const moving = await chain.pay({ amount: 5n })
    const raw = await chain.rawOf(moving)
    await chain.mine(3)
    await setting.follow()
    expect((await setting.credit()).credited).toBe(1)
    // As if the calling contract had paid another amount the first time.
    await setting.db.updateTable('chain_event').set({ amount: 4n }).execute()
    await chain.reorganise(3)
    await setting.follow()
    await chain.client.sendRawTransaction({ serializedTransaction: raw }).catch(() => moving)
    await chain.mine(3)
    await setting.follow()
    await transaction(setting.db, (tx) => resumeCrediting(tx))
    // The ledger has this payment's posting already, with the first terms: that is for a person to sort out.
    await setting.db.updateTable('chain_event').set({ amount: 6n }).where('state', '=', 'recorded').execute()
    expect(await setting.credit()).toEqual({ credited: 0, failed: 1 })
    const troubled = await listTroubledPayments(setting.db)
    expect(troubled.map(({ trouble, txHash }) => [trouble, txHash])).toEqual([
      ['orphaned', moving],
      ['failing', moving],
    ])
    expect(troubled[1]?.reason).toContain('conflict')
  })
})

const picky: SettlePayments = (tx, payments, now) => {
  if (payments.some(({ amount }) => amount === 4n || amount === 8n)) throw new Error('a bug with four and eight')
  return toSuspense(tx, payments, now)
}

const writing: SettlePayments = async (tx, payments, now) => {
  await tx
    .updateTable('chain_event')
    .set({ reference: 'seen' })
    .where('id', '=', payments[0]?.eventId ?? 0n)
    .execute()
  for (const { amount } of payments) {
    // A number that is none: the statement fails in Postgres.
    if (amount === 2n)
      await tx
        .selectFrom('chain_event')
        .where('amount', '=', 'x' as never)
        .execute()
  }
  return toSuspense(tx, payments, now)
}

describe('a payment that cannot be settled', () => {
  test('is set aside while the others go on, and credited when it can be', async () => {
    await using setting = await startFollowingChain(chain)
    for (let nth = 1; nth <= 9; nth++) await chain.pay({ amount: BigInt(nth) })
    await chain.mine(2)
    await setting.follow()
    expect(await setting.credit(picky)).toEqual({ credited: 7, failed: 2 })
    expect(await setting.credit(picky)).toEqual({ credited: 0, failed: 0 })
    expect(await setting.status()).toMatchObject({ failing: 2, waiting: 0 })
    const troubled = await listTroubledPayments(setting.db)
    expect(troubled.map(({ amount, trouble, reason }) => [amount, trouble, reason])).toEqual([
      [4n, 'failing', 'a bug with four and eight'],
      [8n, 'failing', 'a bug with four and eight'],
    ])
    setting.clock.advance(59_000)
    expect(await setting.credit(picky)).toEqual({ credited: 0, failed: 0 })
    setting.clock.advance(1000)
    expect(await setting.credit(picky)).toEqual({ credited: 0, failed: 2 })
    // The pauses grow.
    setting.clock.advance(119_000)
    expect(await setting.credit(picky)).toEqual({ credited: 0, failed: 0 })
    setting.clock.advance(1000)
    expect(await setting.credit()).toEqual({ credited: 2, failed: 0 })
    await expectCreditedOnce(setting)
  })

  test('nothing of what it wrote stays, and a statement that fails does not take the others along', async () => {
    await using setting = await startFollowingChain(chain)
    for (let nth = 1; nth <= 3; nth++) await chain.pay({ amount: BigInt(nth) })
    await chain.mine(2)
    await setting.follow()
    expect(await setting.credit(writing)).toEqual({ credited: 2, failed: 1 })
    expect((await setting.events()).map(({ state, reference }) => [state, reference])).toEqual([
      ['credited', 'seen'],
      ['recorded', ''],
      ['credited', 'seen'],
    ])
  })

  test.each<[string, SettlePayments]>([
    ['without an answer', () => Promise.resolve([])],
    [
      'with two answers for one payment',
      async (tx, payments, now) => [...(await toSuspense(tx, payments, now)), ...(await toSuspense(tx, payments, now))],
    ],
    [
      'without a posting',
      (_tx, [payment]) => Promise.resolve([{ eventId: payment?.eventId ?? 0n, outcome: 'balance', postings: [] }]),
    ],
    [
      'under an id of its own',
      async (tx, [payment], now) => {
        if (payment === undefined) return []
        return toSuspense(tx, [{ ...payment, txPosition: payment.txPosition + 1 }], now)
      },
    ],
    [
      'into an overdrawn account',
      (_tx, [payment]) => {
        if (payment === undefined) return Promise.resolve([])
        const posting = postingOf(payment)
        const legs = posting.legs.map((leg) => ({ ...leg, debit: leg.credit, credit: leg.debit }))
        return Promise.resolve([{ eventId: payment.eventId, outcome: 'balance', postings: [{ ...posting, legs }] }])
      },
    ],
  ])('a settlement %s counts as failed and posts nothing', async (_name, wrong) => {
    await using setting = await startFollowingChain(chain)
    await chain.pay({})
    await chain.mine(2)
    await setting.follow()
    expect(await setting.credit(wrong)).toEqual({ credited: 0, failed: 1 })
    await expectCreditedOnce(setting)
  })
})
