import type { KyselyPlugin } from 'kysely'
import { expect, test } from 'vitest'
import { transaction } from '../../db/open.ts'
import { createTestDatabase } from '@candela/testing/postgres/test-database'
import { memberAccount, platformAccount } from '../../ledger/chart.ts'
import { postBatch } from '../../ledger/post.ts'
import { testMemo } from '../../ledger/testing/testing-memo.ts'
import { getInfo, totalInUsdt } from './get-info.ts'

const WHOLE = 10n ** 18n
const nothing = { available: 0n, held: 0n }
const prices = { JU: 8n * WHOLE, USDT: WHOLE, HASH: WHOLE / 2n }

test('the total counts what is available and what is held, at the average prices', () => {
  const balances = {
    JU: { available: 2n * WHOLE, held: WHOLE },
    USDT: { available: 5n * WHOLE, held: 0n },
    HASH: { available: 0n, held: 4n * WHOLE },
  }
  expect(totalInUsdt(balances, prices)).toBe(31n * WHOLE)
})

test('a missing price makes the total unknown only where there is something to price', () => {
  const withoutHash = { ...prices, HASH: null }
  const balances = { JU: { available: WHOLE, held: 0n }, USDT: nothing, HASH: nothing }
  expect(totalInUsdt(balances, withoutHash)).toBe(8n * WHOLE)
  expect(totalInUsdt({ ...balances, HASH: { available: 1n, held: 0n } }, withoutHash)).toBeNull()
})

test('fractions of a base unit are dropped per asset, never invented', () => {
  const balances = { JU: nothing, USDT: nothing, HASH: { available: 3n, held: 0n } }
  expect(totalInUsdt(balances, prices)).toBe(1n)
  expect(totalInUsdt({ JU: nothing, USDT: nothing, HASH: nothing }, prices)).toBe(0n)
})

const ADDRESSES = ['a', 'b'].map((digit) => `0x${digit.repeat(40)}`) as [string, string]
const NOW = new Date('2026-03-01T12:00:00Z')

test('an account with everything and one with nothing are each read whole, by one statement', async () => {
  const database = await createTestDatabase()
  const { db } = database
  const joined = { joined_at: NOW }
  const inviter = await db
    .insertInto('member')
    .values({
      ...joined,
      address: ADDRESSES[0],
      inviter_id: null,
      invitation_code: 'AAAA2222',
      ju_uid: 77n,
      code_open_at: NOW,
    })
    .returning(['id', 'uid'])
    .executeTakeFirstOrThrow()
  const newcomer = await db
    .insertInto('member')
    .values({
      ...joined,
      address: ADDRESSES[1],
      inviter_id: inviter.id,
      invitation_code: 'BBBB2222',
      leaves_at: NOW,
    })
    .returning(['id', 'uid'])
    .executeTakeFirstOrThrow()
  await db.insertInto('member_power').values({ member_id: inviter.id, active_units: 12n }).execute()
  const available = memberAccount(inviter.id, 'memberAvailable', 'USDT')
  const legs = [
    { debit: platformAccount('custody', 'USDT'), credit: available, amount: 5n * WHOLE },
    { debit: available, credit: memberAccount(inviter.id, 'memberHeld', 'USDT'), amount: 2n * WHOLE },
    {
      debit: platformAccount('custody', 'HASH'),
      credit: memberAccount(inviter.id, 'memberAvailable', 'HASH'),
      amount: 1n,
    },
  ]
  const posting = { id: crypto.randomUUID(), kind: 'deposit' as const, legs, memo: testMemo(), occurredAt: NOW }
  expect(await transaction(db, (tx) => postBatch(tx, [posting]))).toMatchObject([{ outcome: 'posted' }])

  let statements = 0
  const counting: KyselyPlugin = {
    transformQuery({ node }) {
      statements += 1
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const deps = { db: db.withPlugin(counting), averagePrices: async () => prices }
  expect(await getInfo(deps, inviter.id, NOW)).toEqual({
    uid: String(inviter.uid),
    address: ADDRESSES[0],
    level: 1,
    nextLevelAt: 100,
    activePower: 12,
    invitationCode: 'AAAA2222',
    invitationState: 'open',
    leavesAt: null,
    directReferrals: 1,
    juUid: '77',
    balances: [
      { asset: 'JU', available: '0', held: '0' },
      { asset: 'USDT', available: '3', held: '2' },
      { asset: 'HASH', available: '0.000000000000000001', held: '0' },
    ],
    totalUsdt: '5',
    joinedAt: NOW.toISOString(),
  })
  expect(statements).toBe(1)
  expect(await getInfo(deps, newcomer.id, NOW)).toMatchObject({
    uid: String(newcomer.uid),
    activePower: 0,
    invitationCode: '',
    invitationState: 'waits',
    leavesAt: NOW.toISOString(),
    directReferrals: 0,
    juUid: null,
    balances: ['JU', 'USDT', 'HASH'].map((asset) => ({ asset, available: '0', held: '0' })),
    totalUsdt: '0',
  })
  await expect(getInfo(deps, newcomer.id + 1n, NOW)).rejects.toThrow('a member with a session')
  await database.drop()
})
