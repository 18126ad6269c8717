import { afterAll, beforeAll, expect, test } from 'vitest'
import { transaction } from '../db/open.ts'
import { createTestDatabase, type TestDatabase } from '../db/testing.ts'
import { uuidFromName } from '../kernel/ids.ts'
import { memberAccount, platformAccount } from './chart.ts'
import { entriesAfter, movedSince } from './entries-after.ts'
import { post } from './post.ts'
import { testMemo } from './testing-memo.ts'

let own: TestDatabase
beforeAll(async () => {
  own = await createTestDatabase()
  for (const amount of [1n, 2n, 3n]) await deposit(first, amount)
  await deposit(second, 10n)
})
afterAll(() => own.drop())

const [first, second] = [memberAccount(1n, 'memberAvailable', 'USDT'), memberAccount(2n, 'memberAvailable', 'USDT')]

const deposit = (credit: bigint, amount: bigint) =>
  transaction(own.db, (tx) =>
    post(tx, {
      id: uuidFromName(`${credit} ${amount}`),
      kind: 'deposit',
      legs: [{ debit: platformAccount('custody', 'USDT'), credit, amount }],
      memo: testMemo(),
      occurredAt: new Date('2026-03-01T00:00:00Z'),
    }),
  )

const amounts = (entries: readonly { amount: bigint }[]) => entries.map(({ amount }) => amount)

test('entries of one account come oldest first, each once, from behind the posting that was seen last', async () => {
  const all = await entriesAfter(own.db, first, 0n, 10)
  expect(amounts(all)).toEqual([1n, 2n, 3n])
  const [one, , last] = all
  expect(amounts(await entriesAfter(own.db, first, one?.posting ?? 0n, 10))).toEqual([2n, 3n])
  expect(await entriesAfter(own.db, first, last?.posting ?? 0n, 10)).toEqual([])
  expect(amounts(await entriesAfter(own.db, first, 0n, 2))).toEqual([1n, 2n])
})

test('only accounts with an entry behind their own mark have moved', async () => {
  const last = (await entriesAfter(own.db, first, 0n, 10)).at(-1)?.posting ?? 0n
  const marked = (ofFirst: bigint, ofSecond: bigint) =>
    movedSince(own.db, [
      { account: first, posting: ofFirst },
      { account: second, posting: ofSecond },
    ])
  expect(await marked(0n, 0n)).toEqual([first, second])
  expect(await marked(last, 0n)).toEqual([second])
  expect(await marked(last - 1n, 2n ** 62n)).toEqual([first])
  expect(await marked(last, 2n ** 62n)).toEqual([])
})
