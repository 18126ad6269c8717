import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Database, transaction } from '../../db/open.ts'
import { createTestDatabase, lockWaits, type TestDatabase } from '@candela/testing/postgres/test-database'
import {
  type BlockRange,
  readFollowed,
  recordRange,
  type RecordedBlock,
  type RecordedPayment,
} from './record-blocks.ts'
import { startFollowing } from './start-following.ts'

/** These tests record payments and take them back, on blocks made up here. */

const now = new Date('2026-03-01T12:00:00Z')
const rules = {
  confirmations: { normal: 3, large: 9, largeAbove: 1_000n },
  valueInUsdt: (asset: string, amount: bigint) => (asset === 'USDT' ? amount : null),
  keepBlocks: 4n,
}

let own: TestDatabase
let db: Database
beforeAll(async () => {
  own = await createTestDatabase()
  db = own.db
})
afterAll(() => own.drop())
beforeEach(async () => {
  for (const table of ['chain_event', 'chain_block', 'chain_standstill', 'chain_cursor'] as const)
    await db.deleteFrom(table).execute()
  const contract = { chainId: 210_000, gateway: `0x${'9'.repeat(40)}`, startBlock: 1n }
  await transaction(db, (tx) => startFollowing(tx, contract, now))
})

/** A hash that stands for a name. */
const hashOf = (name: string) => `0x${Buffer.from(name).toString('hex').padStart(64, '0')}`

/** Blocks of one branch; another branch has other hashes. */
const block = (number: bigint, branch = 'a'): RecordedBlock => ({
  number,
  hash: hashOf(`${branch}${number}`),
  parentHash: hashOf(`${branch}${number - 1n}`),
  at: now,
})
const payment = (number: bigint, change: Partial<RecordedPayment> = {}): RecordedPayment => ({
  txHash: hashOf(`paid${number}`),
  logIndex: 0,
  txPosition: 0,
  blockNumber: number,
  blockHash: block(number).hash,
  blockAt: now,
  action: 'deposit',
  reference: `D${number}`,
  revenueDay: null,
  asset: 'USDT',
  amount: 5n,
  payer: `0x${'1'.repeat(40)}`,
  customer: `0x${'2'.repeat(40)}`,
  ...change,
})

const tip = (number: bigint, branch?: string): BlockRange['from'] => block(number, branch)
const record = (range: Partial<BlockRange>) =>
  transaction(db, (tx) =>
    recordRange(
      tx,
      { from: null, blocks: [], payments: [], head: { number: 9n, at: now, seenAt: now }, ...range },
      rules,
      now,
    ),
  )
const ancestor = (number: bigint, unknown = false) => ({ number, block: block(number), unknown })
const events = () => db.selectFrom('chain_event').selectAll().orderBy('id').execute()
const credit = () =>
  db.updateTable('chain_event').set({ state: 'credited', outcome: 'balance', credited_at: now }).execute()

const firstThree = () =>
  record({ blocks: [block(1n), block(2n), block(3n)], payments: [payment(1n), payment(2n), payment(3n)] })

test('a range is written once: whoever stands on another block writes nothing', async () => {
  expect(await firstThree()).toMatchObject({ written: true })
  expect(await firstThree()).toMatchObject({ written: false })
  expect(await record({ from: tip(2n), blocks: [block(4n)], payments: [payment(4n)] })).toMatchObject({
    written: false,
  })
  expect(await events()).toHaveLength(3)
  expect(await readFollowed(db)).toMatchObject({
    tip: { number: 3n, hash: block(3n).hash },
    head: 9n,
  })
})

test('what a payer or a node wrote is recorded as it is', async () => {
  const texts = ['a,b', '"', '\\', '{}', 'NULL', '', ' ', '\n', `\\",{'$1"`, '付款']
  const payments = texts.map((text, nth) =>
    payment(1n, { txPosition: nth, logIndex: nth, reference: text, payer: `${text}p`, customer: `${text}c` }),
  )
  await record({ blocks: [block(1n)], payments })
  expect((await events()).map(({ reference, payer, customer }) => ({ reference, payer, customer }))).toEqual(
    payments.map(({ reference, payer, customer }) => ({ reference, payer, customer })),
  )
})

test('when the head was seen is when it was asked for', async () => {
  const seenAt = new Date(now.getTime() - 5_000)
  await record({ blocks: [block(1n)], head: { number: 9n, at: now, seenAt } })
  expect(await db.selectFrom('chain_cursor').select('head_seen_at').execute()).toEqual([{ head_seen_at: seenAt }])
})

test('a range waits for the one that is being written, and then sees that it was overtaken', async () => {
  await firstThree()
  let late: Promise<{ written: boolean }> = Promise.resolve({ written: true })
  await transaction(db, async (tx) => {
    await recordRange(
      tx,
      { from: tip(3n), blocks: [block(4n)], payments: [], head: { number: 9n, at: now, seenAt: now } },
      rules,
      now,
    )
    late = record({ from: tip(3n), blocks: [block(4n, 'b')], payments: [] })
    await expect.poll(async () => (await lockWaits(db)) > 0).toBe(true)
  })
  expect(await late).toMatchObject({ written: false })
  expect((await readFollowed(db)).tip).toMatchObject({ hash: block(4n).hash })
})

test('payments above the price limit, and those whose worth is unknown, need more confirmations', async () => {
  const paid = [payment(1n, { amount: 1_000n }), payment(2n, { amount: 1_001n }), payment(3n, { asset: 'JU' })]
  await record({ blocks: [block(3n)], payments: paid })
  expect((await events()).map(({ confirmations_needed }) => confirmations_needed)).toEqual([3, 9, 9])
})

test('a payment cannot be in two blocks of one chain', async () => {
  await firstThree()
  const again = payment(3n, { blockNumber: 4n, blockHash: block(4n).hash })
  await expect(record({ from: tip(3n), blocks: [block(4n)], payments: [again] })).rejects.toThrow('is in block')
  expect(await record({ from: tip(3n), blocks: [block(4n)], payments: [payment(3n)] })).toMatchObject({ written: true })
  expect(await events()).toHaveLength(3)
})

test('blocks are kept as far below the last one as the rules say', async () => {
  await record({ blocks: Array.from({ length: 9 }, (_, nth) => block(BigInt(nth) + 1n)) })
  expect([...(await readFollowed(db)).hashes.keys()].toSorted((a, b) => Number(a - b))).toEqual([5n, 6n, 7n, 8n, 9n])
})

describe('a reorganisation', () => {
  const toBranchB = () =>
    record({ from: tip(3n), ancestor: ancestor(1n), blocks: [block(2n, 'b')], payments: [payment(2n, inB)] })
  const inB = { txHash: hashOf('other'), blockHash: block(2n, 'b').hash }

  test('removes what waited above the ancestor, and nothing of the ancestor itself', async () => {
    await firstThree()
    expect(await toBranchB()).toEqual({ written: true, reverted: 2, orphaned: 0, halted: null })
    expect((await events()).map(({ tx_hash }) => tx_hash)).toEqual([hashOf('paid1'), hashOf('other')])
    expect(await readFollowed(db)).toMatchObject({ tip: { number: 2n, hash: block(2n, 'b').hash }, haltedReason: null })
  })

  test('marks what was credited, and stops crediting until a person has looked', async () => {
    await firstThree()
    await credit()
    const recorded = await toBranchB()
    expect(recorded).toMatchObject({ reverted: 0, orphaned: 2, halted: expect.stringContaining('2 credited payments') })
    const marks = (await events()).map(({ tx_hash, orphaned_at }) => [tx_hash, orphaned_at !== null])
    expect(marks).toEqual([
      [hashOf('paid1'), false],
      [hashOf('paid2'), true],
      [hashOf('paid3'), true],
      [hashOf('other'), false],
    ])
    await record({ from: tip(2n, 'b'), blocks: [block(3n, 'b')] })
    expect((await readFollowed(db)).haltedReason).toBe(recorded.halted)
  })

  test('below every block that was kept stops crediting, even when nothing was credited', async () => {
    await firstThree()
    const recorded = await record({ from: tip(3n), ancestor: ancestor(1n, true) })
    expect(recorded).toMatchObject({ orphaned: 0, halted: expect.stringContaining('below every block') })
    expect((await readFollowed(db)).haltedReason).toBe(recorded.halted)
  })

  test('gives a credited payment its row back when it comes again, and another row to one with other terms', async () => {
    await firstThree()
    await credit()
    await toBranchB()
    const comesBack = { blockNumber: 3n, blockHash: block(3n, 'b').hash }
    for (const change of [{ amount: 6n }, { customer: `0x${'3'.repeat(40)}` }, { payer: `0x${'3'.repeat(40)}` }]) {
      const trial = transaction(db, async (tx) => {
        const payments = [payment(2n, { ...comesBack, ...change })]
        await recordRange(
          tx,
          { from: tip(2n, 'b'), blocks: [block(3n, 'b')], payments, head: { number: 9n, at: now, seenAt: now } },
          rules,
          now,
        )
        const rows = await tx
          .selectFrom('chain_event')
          .selectAll()
          .where('tx_hash', '=', hashOf('paid2'))
          .orderBy('id')
          .execute()
        expect(rows.map(({ state, orphaned_at }) => [state, orphaned_at !== null])).toEqual([
          ['credited', true],
          ['recorded', false],
        ])
        throw new Error('taken back')
      })
      await expect(trial).rejects.toThrow('taken back')
    }
    await record({ from: tip(2n, 'b'), blocks: [block(3n, 'b')], payments: [payment(2n, comesBack)] })
    const rows = (await events()).filter(({ tx_hash }) => tx_hash === hashOf('paid2'))
    expect(rows).toMatchObject([{ state: 'credited', orphaned_at: null, block_number: 3n }])
  })
})

const later = (number: bigint, minutes: number, branch = 'a'): RecordedBlock => ({
  ...block(number, branch),
  at: new Date(now.getTime() + minutes * 60_000),
})
const stood = async () =>
  (await db.selectFrom('chain_standstill').selectAll().orderBy('block_number').execute()).map(
    ({ block_number, from_at, to_at }) => [block_number, (to_at.getTime() - from_at.getTime()) / 60_000],
  )
const write = async (blocks: RecordedBlock[], parent?: RecordedBlock) => {
  const { tip: from } = await readFollowed(db)
  const head = { number: blocks.at(-1)?.number ?? 0n, at: now, seenAt: now }
  const back = parent === undefined ? {} : { ancestor: { number: parent.number, block: parent, unknown: false } }
  await transaction(db, (tx) => recordRange(tx, { from, ...back, blocks, payments: [], head }, rules, now))
}

describe('a time without a block', () => {
  test('is written down between a block and its parent, within a range and from one to the next; a shorter one is not', async () => {
    await write([later(1n, 0), later(2n, 30), later(3n, 39.9)])
    await write([later(4n, 100)])
    expect(await stood()).toEqual([
      [2n, 30],
      [4n, 60.1],
    ])
  })

  test('is none where blocks between were not read one by one, and is gone with its block', async () => {
    await write([later(1n, 0), later(3n, 500), later(4n, 600)])
    expect(await stood()).toEqual([[4n, 100]])
    await write([later(4n, 501, 'b')], later(3n, 500))
    expect(await stood()).toEqual([])
  })
})
