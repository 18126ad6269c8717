import { hash } from 'node:crypto'
import { codes } from '@candela/protocol/codes/codes'
import { endpoints } from '@candela/protocol/endpoints'
import { transaction } from '../../db/open.ts'
import { fakeClock } from '../../kernel/clock.ts'
import type { CallContext, SessionContext } from '../../kernel/handler.ts'
import { seededIds } from '../../kernel/ids.ts'
import { memberAccount, platformAccount } from '../../ledger/chart.ts'
import { postBatch } from '../../ledger/post.ts'
import { fileHandlers } from './endpoints.ts'
import { LINK_MS } from './file-links.ts'
import { addMember, WHOLE } from '../power/testing.ts'
import { withAnswers } from '../../db/testing-answers.ts'
import { csvStatement } from '../statement/csv-statement.ts'
import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { testMemo } from '../../ledger/testing/testing-memo.ts'

let database: TestDatabase
let [alice, bob] = [0n, 0n]
const clock = fakeClock('2026-03-01T00:00:00.000Z')
const ids = seededIds('file links', clock)

const lines = (memberId: bigint, asset: 'USDT' | 'JU', count: number) =>
  Array.from({ length: count }, () => ({
    id: ids.uuid(),
    kind: 'deposit' as const,
    memo: testMemo(),
    occurredAt: clock.now(),
    legs: [
      {
        debit: platformAccount('custody', asset),
        credit: memberAccount(memberId, 'memberAvailable', asset),
        amount: WHOLE,
      },
    ],
  }))

beforeAll(async () => {
  database = await createTestDatabase({ poolSize: 4 })
  alice = await addMember(database.db, `0x${'a1'.repeat(20)}`)
  bob = await addMember(database.db, `0x${'b0'.repeat(20)}`)
  await transaction(database.db, (tx) =>
    postBatch(tx, [...lines(alice, 'USDT', 900), ...lines(alice, 'JU', 3), ...lines(bob, 'JU', 5)]),
  )
})
afterAll(() => database.drop())
beforeEach(() => database.db.deleteFrom('file_link').execute())

function handlers() {
  const { db } = database
  const made = fileHandlers({ db, ids })
  const anyone = { now: clock.now(), lang: 'tw' } as CallContext
  return {
    link: (memberId: bigint, input: Omit<Parameters<(typeof made)['POST file/link']>[0], 'file'> = {}) =>
      made['POST file/link']({ file: 'statement', ...input }, { ...anyone, memberId, lang: 'en' } as SessionContext),
    take: async (token: string) =>
      endpoints['POST file/take'].data.parse(await made['POST file/take']({ token }, { ...anyone, now: clock.now() })),
  }
}

async function takeAll(token: string): Promise<{ text: string; pieces: number }> {
  let [text, pieces, next] = ['', 0, token as string | null]
  while (next !== null) {
    const piece = await handlers().take(next)
    ;[text, pieces, next] = [text + piece.text, pieces + 1, piece.next]
  }
  return { text, pieces }
}

async function ownStatement(memberId: bigint): Promise<string> {
  const first = await csvStatement(database.db, memberId, {}, 'en')
  let [text, cursor] = [first.text, first.nextCursor]
  while (cursor !== null) {
    const piece = await csvStatement(database.db, memberId, { cursor }, 'en')
    ;[text, cursor] = [text + piece.text, piece.nextCursor]
  }
  return text
}

const isOver = { code: codes.notFound }

test('a link gives the whole file of the member who made it, in its language, and each token is good once', async () => {
  const { token } = await handlers().link(alice)
  const first = await handlers().take(token)
  expect(first).toMatchObject({ name: 'candela-statement-2026-03-01.csv', mime: 'text/csv;charset=utf-8' })
  await expect(handlers().take(token)).rejects.toMatchObject(isOver)
  const { text, pieces } = await takeAll(first.next ?? '')
  expect(pieces).toBe(2)
  expect(first.text + text).toBe(await ownStatement(alice))
  expect(first.text).toContain('Time (UTC)')
  await expect(handlers().take(first.next ?? '')).rejects.toMatchObject(isOver)
})

test('a link is bound to the lines that it was made for', async () => {
  const since = clock.now()
  const { token } = await handlers().link(alice, { asset: 'JU', kinds: ['deposit', 'income'], since, upTo: 10n ** 15n })
  const { text } = await takeAll(token)
  expect(text.split('\r\n').filter((line) => line.includes(',JU,'))).toHaveLength(3)
  expect(text).not.toContain('USDT')
  expect(await takeAll((await handlers().link(alice, { before: since })).token)).toEqual({
    text: (await csvStatement(database.db, alice, { before: since }, 'en')).text,
    pieces: 1,
  })
})

test('a link is over after ten minutes, and when the member has made another one', async () => {
  const { token, expiresAt } = await handlers().link(alice)
  expect(Date.parse(expiresAt) - clock.now().getTime()).toBe(LINK_MS)
  clock.advance(LINK_MS)
  await expect(handlers().take(token)).rejects.toMatchObject(isOver)
  const older = await handlers().link(alice)
  const newer = await handlers().link(alice)
  const other = await handlers().link(bob)
  await expect(handlers().take(older.token)).rejects.toMatchObject(isOver)
  clock.advance(LINK_MS - 1)
  expect((await handlers().take(newer.token)).text).toContain('USDT')
  expect((await handlers().take(other.token)).text).not.toContain('USDT')
})

test('a file that is being taken ends when its member makes another link', async () => {
  const { db } = database
  // Before the first lines of the statement are read.
  const slow = withAnswers(db, 'from ledger_newest', async (rows) => {
    await handlers().link(alice, { asset: 'JU' })
    return rows
  })
  const waiting = fileHandlers({ db: slow, ids })
  const { token } = await handlers().link(alice)
  const taking = waiting['POST file/take']({ token }, { now: clock.now(), lang: 'en' } as CallContext)
  await expect(taking).rejects.toMatchObject(isOver)
})

test('of many at once one takes it', async () => {
  const { token } = await handlers().link(bob)
  const ends = await Promise.allSettled(Array.from({ length: 8 }, () => handlers().take(token)))
  expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test('the table has no token, and one row for a member', async () => {
  await handlers().link(alice)
  const { token } = await handlers().link(alice)
  const rows = await database.db.selectFrom('file_link').selectAll().execute()
  expect(rows.map(({ token_hash }) => token_hash)).toEqual([hash('sha256', token, 'buffer')])
  expect(
    JSON.stringify(rows, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
  ).not.toContain(token)
})
