import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Notice } from '../../../../db/notify.ts'
import { transaction } from '../../../../db/open.ts'
import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'
import { fakeClock } from '../../../../kernel/clock.ts'
import { systemIds } from '../../../../kernel/ids.ts'
import { silentLog } from '../../../../kernel/log.ts'
import { memberAccount, platformAccount } from '../../../../ledger/chart.ts'
import { post } from '../../../../ledger/post.ts'
import { testMemo } from '../../../../ledger/testing/testing-memo.ts'
import { changeState, lockWithdrawal } from '../../change-state.ts'
import { insertWithdrawal } from '../../insert-withdrawal.ts'
import { endDeadPayouts } from './end-dead-payouts.ts'
import { storeTransaction } from '../sign-payout.ts'

const clock = fakeClock()
const owner = `0x${'a'.repeat(40)}`
const payer = `0x${'b'.repeat(40)}`
const hashOf = (number: number) => `0x${number.toString(16).padStart(64, '0')}`
const followed = { tip: { number: 20n, hash: hashOf(20), at: clock.now() }, final: { number: 10n, hash: hashOf(10) } }

let own: TestDatabase
let memberId: bigint
let nth = 0
const told: Notice[] = []

beforeAll(async () => {
  own = await createTestDatabase()
  const member = { address: owner, inviter_id: null, invitation_code: 'DEAD0001', joined_at: clock.now() }
  memberId = (await own.db.insertInto('member').values(member).returning('id').executeTakeFirstOrThrow()).id
  await own.db.insertInto('payer').values({ address: payer, next_nonce: 0n }).execute()
  await follow(followed.tip.hash)
  const leg = { debit: platformAccount('custody', 'USDT'), credit: memberAccount(memberId, 'memberAvailable', 'USDT') }
  const posting = {
    kind: 'deposit' as const,
    legs: [{ ...leg, amount: 1_000n }],
    memo: testMemo(),
    occurredAt: clock.now(),
  }
  await transaction(own.db, (tx) => post(tx, { id: systemIds(clock).uuid(), ...posting }))
})
afterAll(() => own.drop())
beforeEach(async () => {
  nth += 1
  told.splice(0)
  await follow(followed.tip.hash)
  await addSent()
})

/** The last block that the follower has recorded. */
const follow = (hash: string) =>
  own.db
    .insertInto('chain_cursor')
    .values({
      chain_id: 210_000n,
      gateway: payer,
      start_block: 1n,
      followed: followed.tip.number,
      followed_hash: hash,
      head: followed.tip.number,
      head_seen_at: clock.now(),
      halted_reason: null,
      head_at: clock.now(),
    })
    .onConflict((known) => known.column('only_row').doUpdateSet({ followed_hash: hash }))
    .execute()

/** A withdrawal of 40 whose payment is signed with a nonce that the chain has used for something else. */
async function addSent(): Promise<void> {
  const terms = {
    withdrawalNo: `W${nth}`,
    payoutId: hashOf(nth),
    memberId,
    asset: 'USDT' as const,
    amount: 40n,
    fee: 1n,
    to: owner,
  }
  await transaction(own.db, async (tx) => {
    await insertWithdrawal(tx, terms, { worth: 40n, approvals: 0, reason: null }, clock.now())
    const { id } = await tx
      .selectFrom('withdrawal')
      .select('id')
      .where('withdrawal_no', '=', `W${nth}`)
      .executeTakeFirstOrThrow()
    const row = await lockWithdrawal(tx, id)
    if (row === undefined) throw new Error('it was just added')
    const signed = { hash: hashOf(1_000 + nth), raw: '0x', withdrawalId: id, payer, nonce: BigInt(nth), gasPrice: 1n }
    await changeState(tx, row, 'sending', { payer, nonce: signed.nonce, txHash: signed.hash }, clock.now())
    await storeTransaction(tx, signed, clock.now())
  })
}

const run = (asked: () => Promise<void> = () => Promise.resolve()) =>
  endDeadPayouts(
    {
      db: own.db,
      clock,
      log: silentLog(),
      notify: (_tx, ...notices) => Promise.resolve(void told.push(...notices)),
      chain: {
        nonceAt: () => Promise.resolve(BigInt(nth) + 1n),
        isPaid: () => asked().then(() => false),
        receipt: () => Promise.resolve(null),
        simulatePayout: () => Promise.reject(new Error('not asked')),
      },
    },
    followed,
  )

const states = async () => {
  const steps = await own.db
    .selectFrom('withdrawal_step as step')
    .innerJoin('withdrawal', 'withdrawal.id', 'step.withdrawal_id')
    .select('step.state')
    .where('withdrawal_no', '=', `W${nth}`)
    .orderBy('step.id')
    .execute()
  return steps.map(({ state }) => state)
}

test('a payment that can never happen gives the money back, and its owner is told', async () => {
  expect(await run()).toBe(1)
  expect(await states()).toEqual(['queued', 'sending', 'failed'])
  expect(told.map(({ kind }) => kind)).toEqual(['withdrawalFailed'])
})

test('nothing is given back after the followed blocks have changed since the node was asked', async () => {
  expect(await run(async () => void (await follow(hashOf(21))))).toBe(0)
  expect(await states()).toEqual(['queued', 'sending'])
  await follow(followed.tip.hash)
  expect(await run()).toBe(1)
})

test('of two workers that find it at once one gives the money back, and tells of it', async () => {
  expect(await run(async () => expect(await run()).toBe(1))).toBe(0)
  expect(await states()).toEqual(['queued', 'sending', 'failed'])
  expect(told).toHaveLength(1)
})
