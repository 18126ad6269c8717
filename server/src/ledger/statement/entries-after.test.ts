import { afterAll, beforeAll, expect, test } from 'vitest'
import { transaction } from '../../db/open.ts'
import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'
import { uuidFromName } from '../../kernel/ids.ts'
import { memberAccount, platformAccount } from '../chart.ts'
import { entriesAfter, newestAfter } from './entries-after.ts'
import { balancesBefore } from '../balances.ts'
import { post } from '../post.ts'
import { testMemo } from '../testing/testing-memo.ts'
import { statement } from './statement.ts'

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

const kinds = ['deposit'] as const
const after = (account: bigint, posting: bigint, limit = 10) => entriesAfter(own.db, { account, kinds, posting, limit })

test('entries of one account come oldest first, each once, from behind the posting that was seen last', async () => {
  const all = await after(first, 0n)
  expect(amounts(all)).toEqual([1n, 2n, 3n])
  const [one, , last] = all
  expect(amounts(await after(first, one?.posting ?? 0n))).toEqual([2n, 3n])
  expect(await after(first, last?.posting ?? 0n)).toEqual([])
  expect(amounts(await after(first, 0n, 2))).toEqual([1n, 2n])
  expect(await entriesAfter(own.db, { account: first, kinds: ['income'], posting: 0n, limit: 10 })).toEqual([])
})

test('of each account the newest entries behind its own mark are given, newest first', async () => {
  const last = (await after(first, 0n)).at(-1)?.posting ?? 0n
  const marked = async (ofFirst: bigint, ofSecond: bigint, limit = 10) => {
    const marks = [
      { account: first, posting: ofFirst },
      { account: second, posting: ofSecond },
    ]
    return amounts(await newestAfter(own.db, marks, { kinds, limit }))
  }
  expect(await marked(0n, 0n)).toEqual([3n, 2n, 1n, 10n])
  expect(await marked(0n, 0n, 1)).toEqual([3n, 10n])
  expect(await marked(last, 0n)).toEqual([10n])
  expect(await marked(last - 1n, 2n ** 62n)).toEqual([3n])
  expect(await marked(last, 2n ** 62n)).toEqual([])
})

test('at a place each account has what its last entry before it left, and a statement up to there ends with it', async () => {
  const [one, two, three] = await after(first, 0n)
  const accounts = [second, first, memberAccount(3n, 'memberAvailable', 'USDT')]
  const balances = (place: bigint) => balancesBefore(own.db, { accounts, kinds }, place)
  expect(await balances(one?.posting ?? 0n)).toEqual([0n, 0n, 0n])
  expect(await balances((two?.posting ?? 0n) + 1n)).toEqual([0n, 3n, 0n])
  expect(await balances(2n ** 62n)).toEqual([10n, 6n, 0n])
  const upTo = async (posting: bigint | undefined) => {
    const query = { accounts: [first], kinds, limit: 10, cursor: undefined, upTo: posting }
    return (await statement(own.db, query)).items.map(({ balance }) => balance)
  }
  expect(await upTo(two?.posting)).toEqual([3n, 1n])
  expect(await upTo((two?.posting ?? 0n) - 1n)).toEqual([1n])
  expect(await upTo(three?.posting)).toEqual(await upTo(undefined))
})
