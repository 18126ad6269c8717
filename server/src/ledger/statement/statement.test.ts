import * as fc from 'fast-check'
import type { PostingKind } from '@candela/protocol/posting-kinds'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, transaction } from '../../db/open.ts'
import { bookAt, createTestDatabase, othersEnded, type TestDatabase } from '@candela/testing/postgres/test-database'
import { uuidFromName } from '../../kernel/ids.ts'
import { must } from '../../kernel/assert.ts'
import { accountAsset, memberAccount, platformAccount } from '../chart.ts'
import { postBatch } from '../post.ts'
import { testMemo } from '../testing/testing-memo.ts'
import { countDays } from './count-days.ts'
import { statement } from './statement.ts'

const mine = memberAccount(1n, 'memberAvailable', 'USDT')
const other = memberAccount(2n, 'memberAvailable', 'USDT')

let own: TestDatabase
let db: Database
beforeAll(async () => {
  own = await createTestDatabase()
  db = own.db
})
afterAll(() => own.drop())

/** Gives so many amounts, counted from `first`, booked at one time of a day in March and told to have happened on the day before. */
async function give(day: number, first: number, count: number, account = mine): Promise<void> {
  const occurredAt = new Date(Date.UTC(2026, 2, day - 1, 12))
  const postings = Array.from({ length: count }, (_none, nth) => ({
    id: uuidFromName(`${account} ${first + nth}`),
    kind: 'deposit' as const,
    legs: [{ debit: platformAccount('custody', 'USDT'), credit: account, amount: BigInt(first + nth) }],
    memo: testMemo(),
    occurredAt,
  }))
  await bookAt(own.owner, new Date(Date.UTC(2026, 2, day, 12)))
  await transaction(db, (tx) => postBatch(tx, postings))
}

/** Counts the days of everything that is posted. */
async function countAll(): Promise<void> {
  // The limit that a run notes is that of the next one.
  for (let run = 0; run < 3; run++) {
    await othersEnded(db)
    await transaction(db, (tx) => countDays(tx))
  }
}

const march = (day: number) => new Date(Date.UTC(2026, 2, day))

/** All pages of a time: their amounts, and how many pages there were. */
async function read(since: Date | undefined, before: Date | undefined, limit = 100) {
  const amounts: number[] = []
  let pages = 0
  let cursor: string | undefined
  do {
    const page = await statement(db, { accounts: [mine], kinds: ['deposit'], since, before, limit, cursor })
    amounts.push(...page.items.map(({ amount }) => Number(amount)))
    cursor = page.nextCursor ?? undefined
    pages += 1
  } while (cursor !== undefined)
  return { amounts, pages }
}

test('a time has the entries of its days, of those that are counted and of those that are not yet', async () => {
  for (const [day, first] of [
    [1, 10],
    [2, 20],
    [3, 30],
  ] as const)
    await give(day, first, 2)
  await countAll()
  const [counted] = await db.selectFrom('ledger_day').select(db.fn.countAll<bigint>().as('days')).execute()
  // Those of booking, and the day before the first.
  expect(counted?.days).toBe(4n)
  await give(3, 32, 1)
  await give(4, 40, 2)
  expect((await read(march(2), march(4))).amounts).toEqual([32, 31, 30, 21, 20])
  expect((await read(march(2), march(3))).amounts).toEqual([21, 20])
  expect((await read(march(3), undefined)).amounts).toEqual([41, 40, 32, 31, 30])
  expect((await read(undefined, march(2))).amounts).toEqual([11, 10])
  expect((await read(march(5), undefined)).amounts).toEqual([])
})

test('a page that has read its share of another time goes on where it stopped', async () => {
  await give(4, 100, 1)
  // All of a later day, and more than one call passes over; their day is not counted.
  await give(20, 1_000, 2_100)
  await give(20, 5_000, 2, other)
  const { amounts, pages } = await read(march(4), march(5))
  expect(amounts).toEqual([100, 41, 40])
  expect(pages).toBeGreaterThan(1)
})

test('a page of many lists is the newest of all of them, however they are mixed', async () => {
  const accounts = ([7n, 8n, 9n] as const).flatMap((member) =>
    (['USDT', 'JU', 'HASH'] as const).map((asset) => memberAccount(member, 'memberAvailable', asset)),
  )
  const kinds = ['deposit', 'unmatched', 'assigned', 'revenue'] as const satisfies PostingKind[]
  // Lists of the last kind are not asked for.
  const wanted = kinds.slice(0, 3)
  const isWanted = (list: number) => list < wanted.length * accounts.length
  const occurredAt = march(9)
  await fc.assert(
    fc.asyncProperty(
      // The number of the list that each entry goes into: some lists get most, at the beginning, at the end or all the time.
      fc.array(fc.oneof(fc.nat({ max: 35 }), fc.nat({ max: 2 }), fc.constant(20)), { minLength: 1, maxLength: 120 }),
      fc.integer({ min: 1, max: 30 }),
      fc.uuid(),
      async (lists, limit, run) => {
        const postings = lists.map((list, nth) => {
          const account = must(accounts[list % accounts.length], 'there are nine')
          const custody = platformAccount('custody', must(accountAsset(account), 'it has one'))
          const legs = [{ debit: custody, credit: account, amount: BigInt(nth + 1) }]
          const kind = must(kinds[Math.floor(list / accounts.length)], 'there are four')
          return { id: uuidFromName(`${run} ${nth}`), kind, legs, memo: testMemo(), occurredAt }
        })
        await transaction(db, (tx) => postBatch(tx, postings))
        const amounts: number[] = []
        for (let cursor: string | undefined; ;) {
          const page = await statement(db, { accounts, kinds: wanted, limit, cursor })
          const fresh = page.items.filter(({ postingId }) => postings.some(({ id }) => id === postingId))
          amounts.push(...fresh.map(({ amount }) => Number(amount)))
          cursor = page.nextCursor ?? undefined
          if (cursor === undefined || fresh.length < page.items.length) break
        }
        expect(amounts).toEqual(lists.flatMap((list, nth) => (isWanted(list) ? [nth + 1] : [])).toReversed())
      },
    ),
    { numRuns: 30 },
  )
})
