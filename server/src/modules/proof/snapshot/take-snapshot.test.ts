import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, transaction, type Tx } from '../../../db/open.ts'
import { must } from '../../../kernel/assert.ts'
import type { Given, ListAddresses } from './read-members.ts'
import type { RangeTask } from './read-range.ts'
import { rangesUpTo } from './take-snapshot.ts'
import { readShared, workHere } from './work.ts'

let own: TestDatabase
beforeAll(async () => {
  own = await createTestDatabase()
})
afterAll(() => own.drop())

const RANGE = 8_192n
const debtOf = (memberId: bigint) => ({ memberId, debt: 1n, collateral: { JU: 0n, HASH: 0n } })
const nothing = { JU: 0n, USDT: 0n, HASH: 0n }
const givenWith = (...members: bigint[]): Given => ({
  debts: members.map(debtOf),
  paidLater: [],
  valuation: {
    fund: { assets: 0n, shares: 0n },
    pool: { amounts: nothing, shares: 0n },
    prices: { JU: null, HASH: null },
  },
})

test('each range is given the debts of its own members, and each debt to one range', () => {
  const last = 2n * RANGE + 5n
  const ranges = rangesUpTo(last, givenWith(1n, RANGE, RANGE + 1n, 2n * RANGE + 5n))
  expect(ranges.map(({ after, upTo, given }) => [after, upTo, given.debts.map(({ memberId }) => memberId)])).toEqual([
    [0n, RANGE, [1n, RANGE]],
    [RANGE, 2n * RANGE, [RANGE + 1n]],
    [2n * RANGE, last, [last]],
  ])
  expect(rangesUpTo(0n, givenWith())).toEqual([])
})

const task = (after = 0n): RangeTask => ({
  after,
  upTo: after + 5n,
  given: givenWith(),
  master: new Uint8Array(32),
  context: new Uint8Array(32),
})

const limitOf = async (db: Database): Promise<unknown> =>
  (await sql<{ idle: string }>`select current_setting('idle_in_transaction_session_timeout') as idle`.execute(db))
    .rows[0]

test('a thread may wait for its own work in its transaction, and no other may', async () => {
  const limits: unknown[] = []
  const noting: ListAddresses = async (tx) => {
    limits.push(await limitOf(tx))
    return []
  }
  await transaction(
    own.db,
    async (tx) => {
      const { rows } = await sql<{ exported: string }>`select pg_export_snapshot() as exported`.execute(tx)
      const { exported: exportedSnapshot } = must(rows[0], 'a function answers')
      await readShared(own.db, noting, { task: task(), exportedSnapshot, page: 10 })
    },
    { isolation: 'repeatable read' },
  )
  expect(limits).toEqual([{ idle: '0' }])
  await transaction(own.db, async (tx) => expect(await limitOf(tx)).toEqual({ idle: '1min' }))
})

/** How reading three ranges in this thread went. */
const readAll = (listAddresses: ListAddresses) =>
  transaction(own.db, async (tx) => {
    const read = await workHere(listAddresses).readerIn(tx)
    return (await Promise.allSettled([0n, 5n, 10n].map((after) => read(task(after))))).map(({ status }) => status)
  })

test('in one thread ranges are read one after the other, and none after one that failed', async () => {
  const under = { way: 0, most: 0, read: [] as bigint[] }
  const counting = (fails: bigint): ListAddresses => {
    Object.assign(under, { way: 0, most: 0, read: [] })
    return async (tx: Tx, after) => {
      under.way += 1
      under.most = Math.max(under.most, under.way)
      await sql`select 1`.execute(tx)
      under.way -= 1
      under.read.push(after)
      if (after === fails) throw new Error('for a test')
      return []
    }
  }
  expect(await readAll(counting(-1n))).toEqual(['fulfilled', 'fulfilled', 'fulfilled'])
  expect(under).toEqual({ way: 0, most: 1, read: [0n, 5n, 10n] })
  expect(await readAll(counting(5n))).toEqual(['fulfilled', 'rejected', 'rejected'])
  expect(under.read).toEqual([0n, 5n])
})
