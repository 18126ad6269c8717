import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ConfirmedPayment } from '../../../chain/crediting/credit-payments.ts'
import { type Database, transaction } from '../../../db/open.ts'
import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'
import { settlePayouts } from './settle-payouts.ts'

const now = new Date('2026-03-01T12:00:00Z')
const owner = `0x${'a'.repeat(40)}`
const payer = `0x${'b'.repeat(40)}`

let own: TestDatabase
let db: Database
let memberId: bigint
let nth = 0
beforeAll(async () => {
  own = await createTestDatabase()
  db = own.db
  const member = { address: owner, inviter_id: null, invitation_code: 'PAYOUT01', joined_at: now }
  memberId = (await db.insertInto('member').values(member).returning('id').executeTakeFirstOrThrow()).id
  await db.insertInto('payer').values({ address: payer, next_nonce: 0n }).execute()
})
afterAll(() => own.drop())

/** The payment that ends the withdrawal of the test that runs. */
let payment: ConfirmedPayment
beforeEach(() => {
  nth += 1
  payment = {
    eventId: BigInt(nth),
    txHash: `0x${'1'.repeat(64)}`,
    logIndex: 0,
    txPosition: 1_000_000,
    blockNumber: 5n,
    blockAt: now,
    action: 'paid',
    reference: `0x${nth.toString(16).padStart(64, '0')}`,
    revenueDay: null,
    asset: 'USDT',
    amount: 39n,
    payer: `0x${'c'.repeat(40)}`,
    customer: owner,
  }
})

/** A withdrawal of 40 with a fee of 1. */
const withdrawal = (state: 'review' | 'queued' | 'sending' | 'rejected' | 'failed') =>
  db
    .insertInto('withdrawal')
    .values({
      withdrawal_no: `W${nth}`,
      payout_id: payment.reference,
      member_id: memberId,
      asset: 'USDT',
      amount: 40n,
      fee: 1n,
      to_address: owner,
      worth_usdt: 40n,
      state,
      reason: null,
      note: null,
      approvals: 0,
      payer: state === 'sending' ? payer : null,
      nonce: state === 'sending' ? BigInt(nth) : null,
      try_at: null,
      last_failure: null,
      created_at: now,
      changed_at: now,
    })
    .execute()

const settle = (changes: Partial<ConfirmedPayment> = {}) =>
  transaction(db, (tx) => settlePayouts(tx, [{ ...payment, ...changes }], now))
const stateNow = async () =>
  (await db.selectFrom('withdrawal').select('state').where('withdrawal_no', '=', `W${nth}`).executeTakeFirstOrThrow())
    .state

test.each(['sending', 'queued'] as const)('a payment of exactly what a %s withdrawal gives ends it', async (state) => {
  await withdrawal(state)
  expect(await settle()).toMatchObject([{ eventId: payment.eventId, outcome: 'withdrawal' }])
  expect(await stateNow()).toBe('done')
  // Another transaction of the same payout may come to count.
  expect(await settle()).toMatchObject([{ outcome: 'withdrawal' }])
})

test.each<[string, Partial<ConfirmedPayment>]>([
  ['to somebody else', { customer: payer }],
  ['of one base unit less', { amount: 38n }],
  ['of one base unit more', { amount: 40n }],
  ['of another asset', { asset: 'HASH' }],
])('a payment %s ends nothing', async (_what, changes) => {
  await withdrawal('sending')
  await expect(settle(changes)).rejects.toThrow(`differs from withdrawal W${nth}`)
  expect(await stateNow()).toBe('sending')
})

test.each(['review', 'rejected', 'failed'] as const)('a payment of a withdrawal in %s ends nothing', async (state) => {
  await withdrawal(state)
  await expect(settle()).rejects.toThrow(`was paid although withdrawal W${nth} is ${state}`)
  expect(await stateNow()).toBe(state)
})

test('a payment of no withdrawal of ours is not settled', async () => {
  await expect(settle()).rejects.toThrow('is no withdrawal of ours')
})
