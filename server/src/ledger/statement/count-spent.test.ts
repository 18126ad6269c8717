import type { PostingKind } from '@candela/protocol/posting-kinds'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { transaction } from '../../db/open.ts'
import { createTestDatabase, othersEnded, type TestDatabase } from '@candela/testing/postgres/test-database'
import { uuidFromName } from '../../kernel/ids.ts'
import { memberAccount, platformAccount } from '../chart.ts'
import { type Posting, postBatch } from '../post.ts'
import { testMemo } from '../testing/testing-memo.ts'
import { countDays } from './count-days.ts'
import { countSpent } from './count-spent.ts'

const custody = platformAccount('custody', 'USDT')
const [one, other] = [1n, 2n].map((member) => memberAccount(member, 'memberAvailable', 'USDT')) as [bigint, bigint]
const at = (day: number, hour = 12) => new Date(Date.UTC(2026, 2, day, hour))

let own: TestDatabase
beforeAll(async () => {
  own = await createTestDatabase()
  await move(at(1), 'deposit', 0n, ...Array.from({ length: 3 }, () => one), ...Array.from({ length: 3 }, () => other))
})
afterAll(() => own.drop())

let last = 0

/** One posting for each of these accounts: what it has given to the next one, or (from 0) what has come in. */
async function move(occurredAt: Date, kind: PostingKind, from: bigint, ...to: bigint[]): Promise<void> {
  const postings = to.map((credit) => ({
    id: uuidFromName(`moved ${(last += 1)}`),
    kind,
    legs: [{ debit: from === 0n ? custody : from, credit, amount: from === 0n ? 100n : 1n }],
    memo: testMemo(),
    occurredAt,
  })) as Posting[]
  await transaction(own.db, (tx) => postBatch(tx, postings))
}

async function count(day: number, newest = 1_000, kind: PostingKind = 'deposit'): Promise<number[]> {
  const since = at(day, 0)
  return countSpent(
    own.db,
    [
      { account: one, since },
      { account: other, since },
    ],
    { kind, newest },
  )
}

test('what an account has given since a time, by postings of one kind, of so many of its newest entries', async () => {
  await move(at(2, 23), 'deposit', one, other, other)
  await move(at(3, 1), 'deposit', one, other)
  await move(at(3, 2), 'deposit', other, one, one)
  await move(at(3, 3), 'exchange', one, other)
  expect(await count(3)).toEqual([1, 2])
  expect(await count(2)).toEqual([3, 2])
  expect(await count(3, 1_000, 'exchange')).toEqual([1, 0])
  expect(await count(4)).toEqual([0, 0])
  // The newest two of the first are what it was given, the third is what it gave.
  expect([await count(3, 2), await count(3, 3)]).toEqual([
    [0, 2],
    [1, 2],
  ])
})

test('each account has a time of its own, and days that are counted differ in nothing', async () => {
  const asked = [
    { account: one, since: at(3, 0) },
    { account: other, since: at(4, 0) },
    { account: one, since: at(2, 0) },
  ]
  const before = await countSpent(own.db, asked, { kind: 'deposit', newest: 1_000 })
  expect(before).toEqual([1, 0, 3])
  for (let run = 0; run < 3; run++) {
    await othersEnded(own.db)
    await transaction(own.db, (tx) => countDays(tx))
  }
  const { rows } = await sql<{ days: bigint }>`
    select count(*) as days from ledger_day where day < '2026-04-01'`.execute(own.db)
  expect(rows[0]?.days).toBe(3n)
  expect(await countSpent(own.db, asked, { kind: 'deposit', newest: 1_000 })).toEqual(before)
  // A later posting of a day long ago counts too.
  await move(at(3, 4), 'deposit', one, other)
  expect(await countSpent(own.db, asked, { kind: 'deposit', newest: 1_000 })).toEqual([2, 0, 4])
})
