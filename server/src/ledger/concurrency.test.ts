import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from 'kysely'
import { type Database, sqlState, transaction } from '../db/open.ts'
import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'
import { uuidFromName } from '../kernel/ids.ts'
import { auditLedger } from './audit.ts'
import { accountBalance } from './balances.ts'
import { type AccountId, memberAccount, platformAccount } from './chart.ts'
import { type Posting, postBatch, type PostOutcome } from './post.ts'
import { rollUp } from './upkeep/roll-up.ts'
import { testMemo } from './testing/testing-memo.ts'

/** Many at once over the same few accounts. Without repetitions: a deadlock would fail the test, not be hidden. */

let own: TestDatabase
let db: Database
beforeAll(async () => {
  own = await createTestDatabase({ poolSize: 12 })
  db = own.db
})
afterAll(() => own.drop())

const once = { attempts: 1 }
const available = (member: number) => memberAccount(BigInt(member), 'memberAvailable', 'USDT')
const custody = platformAccount('custody', 'USDT')
const revenue = platformAccount('salesRevenue', 'USDT')

function move(name: string, debit: AccountId, credit: AccountId, amount: bigint): Posting {
  return {
    id: uuidFromName(name),
    kind: 'deposit',
    legs: [{ debit, credit, amount }],
    memo: testMemo(name),
    occurredAt: new Date('2026-01-01T00:00:00Z'),
  }
}

function tally(outcomes: PostOutcome[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { outcome } of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1
  return counts
}

test('parallel batches over the same new accounts in any order neither deadlock nor lose a unit', async () => {
  const members = 12
  const batches = Array.from({ length: 60 }, (_, batch) =>
    Array.from({ length: 40 }, (_unused, step) => {
      // A different walk over the members in each batch, forwards and backwards, money from outside in every other step.
      const to = 1 + ((batch * 7 + step * (batch % 2 === 0 ? 5 : members - 5)) % members)
      const from = 1 + (to % members)
      return move(`walk ${batch} ${step}`, step % 2 === 0 ? custody : available(from), available(to), 3n)
    }),
  )
  const folding = Array.from({ length: 10 }, () => transaction(db, rollUp, once))
  const outcomes = await Promise.all(batches.map((batch) => transaction(db, (tx) => postBatch(tx, batch), once)))
  await Promise.all(folding)

  const expected = new Map<AccountId, bigint>()
  batches.flat().forEach(({ legs: [leg] }, index) => {
    if (!leg || outcomes.flat()[index]?.outcome !== 'posted') return
    expected.set(leg.debit, (expected.get(leg.debit) ?? 0n) - leg.amount)
    expected.set(leg.credit, (expected.get(leg.credit) ?? 0n) + leg.amount)
  })
  expect(tally(outcomes.flat())['posted']).toBeGreaterThan(1200)
  for (const [account, balance] of expected) expect(await accountBalance(db, account)).toBe(balance)
  expect(await auditLedger(db)).toEqual([])
})

test('of many that spend the same money at once, exactly as many succeed as there is money for', async () => {
  const [purse, shop] = [available(1001), available(1002)]
  await transaction(db, (tx) => postBatch(tx, [move('purse', custody, purse, 100n)]))
  const attempts = Array.from({ length: 50 }, (_, index) => [move(`spend ${index}`, purse, shop, 7n)])
  const outcomes = (
    await Promise.all(attempts.map((batch) => transaction(db, (tx) => postBatch(tx, batch), once)))
  ).flat()
  expect(tally(outcomes)).toEqual({ posted: 14, overdrawn: 36 })
  expect([await accountBalance(db, purse), await accountBalance(db, shop)]).toEqual([2n, 98n])
})

test('the same when every batch has to be decided posting by posting', async () => {
  const [purse, shop, empty] = [available(1011), available(1012), available(1013)]
  await transaction(db, (tx) => postBatch(tx, [move('second purse', custody, purse, 100n)]))
  const attempts = Array.from({ length: 50 }, (_, index) => [
    move(`hopeless ${index} of nothing`, empty, shop, 1n),
    move(`spend ${index} beside it`, purse, shop, 7n),
  ])
  const outcomes = (
    await Promise.all(attempts.map((batch) => transaction(db, (tx) => postBatch(tx, batch), once)))
  ).flat()
  expect(tally(outcomes)).toEqual({ posted: 14, overdrawn: 86 })
  expect([await accountBalance(db, purse), await accountBalance(db, shop)]).toEqual([2n, 98n])
})

test('batches that must be decided one by one do not deadlock either, nor with those that need not', async () => {
  const members = Array.from({ length: 30 }, (_, index) => available(4001 + index))
  await transaction(db, (tx) =>
    postBatch(
      tx,
      members.map((member) => move(`start ${member}`, custody, member, 1000n)),
    ),
  )
  const batches = Array.from({ length: 40 }, (_, batch) => {
    const order = batch % 2 === 0 ? members : members.toReversed()
    const round = order.map((member, index) => {
      return move(`round ${batch} ${index}`, member, order[(index + 1) % order.length] ?? custody, 1n)
    })
    // Three in four hold one posting that nobody could pay.
    const hopeless = move(`hopeless ${batch}`, members[batch % members.length] ?? custody, custody, 10n ** 9n)
    return batch % 4 === 0 ? round : [...round.slice(0, 15), hopeless, ...round.slice(15)]
  })
  const outcomes = await Promise.all(batches.map((batch) => transaction(db, (tx) => postBatch(tx, batch), once)))
  expect(tally(outcomes.flat())).toEqual({ posted: 40 * 30, overdrawn: 30 })
  for (const member of members) expect(await accountBalance(db, member)).toBe(1000n)
  expect(await auditLedger(db)).toEqual([])
})

test('the same postings from many callers at once are each posted once', async () => {
  const postings = Array.from({ length: 30 }, (_, index) => move(`same ${index}`, custody, available(2001 + index), 5n))
  const arrivals = Array.from({ length: 12 }, (_, turn) => (turn % 2 === 0 ? postings : postings.toReversed()))
  const outcomes = await Promise.all(arrivals.map((batch) => transaction(db, (tx) => postBatch(tx, batch))))
  expect(tally(outcomes.flat())).toEqual({ posted: 30, already: 330 })
  for (let index = 0; index < 30; index++) expect(await accountBalance(db, available(2001 + index))).toBe(5n)
})

test('transactions do not wait for each other over a rolled-up account', async () => {
  await transaction(db, async (first) => {
    await postBatch(first, [move('holds revenue', custody, revenue, 1n)])
    // The first transaction is still open. With a lock on the revenue account the second would wait for it for ever.
    const second = transaction(
      db,
      async (tx) => {
        await sql`set local lock_timeout = '60s'`.execute(tx)
        return postBatch(tx, [move('beside it', custody, revenue, 2n)])
      },
      once,
    )
    expect(await second).toEqual([{ outcome: 'posted' }])
    expect(await accountBalance(db, revenue)).toBe(2n)
  })
  expect(await accountBalance(db, revenue)).toBe(3n)
})

test('a floored account does make the second wait, and then see the first', async () => {
  const purse = available(3001)
  await transaction(db, (tx) => postBatch(tx, [move('fill', custody, purse, 10n)]))
  await transaction(db, async (first) => {
    await postBatch(first, [move('take all', purse, custody, 10n)])
    const second = transaction(
      db,
      async (tx) => {
        await sql`set local lock_timeout = '200ms'`.execute(tx)
        return postBatch(tx, [move('take more', purse, custody, 1n)])
      },
      once,
    ).catch((error: unknown) => sqlState(error))
    expect(await second).toBe('55P03')
  })
  const after = await transaction(db, (tx) => postBatch(tx, [move('take more', purse, custody, 1n)]))
  expect(after).toEqual([{ outcome: 'overdrawn', account: purse }])
})
