import { afterAll, beforeAll, expect, test } from 'vitest'
import { transaction } from '../db/open.ts'
import { createTestDatabase, type TestDatabase } from '../db/testing.ts'
import { uuidFromName } from '../kernel/ids.ts'
import { memberAccount, platformAccount } from './chart.ts'
import { gainsByMemo } from './gains.ts'
import { post, type Posting } from './post.ts'
import { testMemo } from './testing-memo.ts'

const own = {
  account: memberAccount(1n, 'memberAvailable', 'HASH'),
  other: memberAccount(2n, 'memberAvailable', 'HASH'),
}
const since = new Date('2026-03-02T00:00:00Z')

const income = (day: string) => ({ kind: 'income', memo: { day } }) as const

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  const gain = (name: string, amount: bigint, at: Date, rest: Partial<Posting>, credit = own.account) =>
    transaction(database.db, (tx) =>
      post(tx, {
        id: uuidFromName(name),
        legs: [{ debit: platformAccount('custody', 'HASH'), credit, amount }],
        occurredAt: at,
        ...rest,
      } as Posting),
    )
  await gain('first', 1n, since, income('2026-03-01'))
  await gain('second part of the same day', 2n, new Date(since.getTime() + 1), income('2026-03-01'))
  await gain('next day', 4n, new Date(since.getTime() + 2), income('2026-03-02'))
  await gain('too early', 8n, new Date(since.getTime() - 1), income('2026-03-01'))
  await gain('another kind with the same memo', 16n, since, { kind: 'service-fee', memo: { day: '2026-03-01' } })
  await gain('another kind', 32n, since, { kind: 'deposit', memo: testMemo() })
  await gain('of somebody else', 64n, since, income('2026-03-01'), own.other)
})
afterAll(() => database.drop())

test('sums what the account gained by postings of the kind from the time on, by the text of their memo', async () => {
  const gains = await gainsByMemo(database.db, { account: own.account, kind: 'income', memoKey: 'day', since })
  expect(Object.fromEntries(gains)).toEqual({ '2026-03-01': 3n, '2026-03-02': 4n })
})
