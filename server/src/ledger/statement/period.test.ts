import { bookAt, createTestDatabase, othersEnded, type TestDatabase } from '@candela/testing/postgres/test-database'
import { DAY_MS } from '@candela/protocol/units'
import * as fc from 'fast-check'
import { sql } from 'kysely'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase, transaction, type Tx } from '../../db/open.ts'
import { silentLog } from '../../kernel/log.ts'
import { must } from '../../kernel/assert.ts'
import { memberAccount, platformAccount } from '../chart.ts'
import { post } from '../post.ts'
import { testMemo } from '../testing/testing-memo.ts'
import { countDays } from './count-days.ts'
import { balancesBefore, readFinalBefore } from './period.ts'
import { statement } from './statement.ts'

let own: TestDatabase
let db: Database
beforeAll(async () => {
  own = await createTestDatabase()
  db = own.db
})
afterAll(() => own.drop())

const START = Date.UTC(2026, 2, 1)
const at = (after_ms: number) => new Date(START + after_ms)
const custody = platformAccount('custody', 'USDT')

/** Gives a member an amount, or takes it, and tells that it happened at another time. */
const move = (tx: Tx, account: bigint, amount: bigint, occurredAt: Date) =>
  post(tx, {
    id: randomUUID(),
    kind: 'deposit',
    legs: [
      amount > 0n ? { debit: custody, credit: account, amount } : { debit: account, credit: custody, amount: -amount },
    ],
    memo: testMemo(),
    occurredAt,
  })

/** The lines that are booked in a period, newest first. */
async function linesOf(accounts: readonly bigint[], since: Date, before: Date) {
  const lines = []
  let cursor: string | undefined
  do {
    const page = await statement(db, { accounts, kinds: ['deposit'], since, before, limit: 3, cursor })
    lines.push(...page.items)
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return lines
}

/** Counts days until what was booked before now is final. */
async function close(): Promise<void> {
  for (let run = 0; run < 2; run++) {
    await othersEnded(db)
    await transaction(db, (tx) => countDays(tx))
  }
}

test('for random periods the opening balance and the lines make the closing one, which opens the next', async () => {
  let member = 0n
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          gap_ms: fc.nat({ max: 2 * DAY_MS }),
          // How long before it is recorded it happened, or after: its block may be ahead of our clock.
          late_ms: fc.integer({ min: -60_000, max: 3 * DAY_MS }),
          amount: fc.bigInt({ min: 1n, max: 10n ** 20n }),
          isTaken: fc.boolean(),
          isCounted: fc.boolean(),
        }),
        { minLength: 1, maxLength: 25 },
      ),
      fc.array(fc.nat({ max: 20 * DAY_MS }), { minLength: 1, maxLength: 4 }),
      async (moves, cuts) => {
        member += 1n
        const account = memberAccount(member, 'memberAvailable', 'USDT')
        let now_ms = Number(member) * 60 * DAY_MS
        const first_ms = now_ms
        let had = 0n
        for (const { gap_ms, late_ms, amount, isTaken, isCounted } of moves) {
          now_ms += gap_ms
          const moved = isTaken && amount <= had ? -amount : amount
          had += moved
          await bookAt(own.owner, at(now_ms))
          await transaction(db, (tx) => move(tx, account, moved, at(now_ms - late_ms)))
          if (isCounted) await transaction(db, (tx) => countDays(tx))
        }
        const ends = [first_ms, ...cuts.map((cut) => first_ms + cut), now_ms + 1].toSorted((a, b) => a - b)
        let opening = 0n
        const all = []
        for (const [nth, end] of ends.entries()) {
          const next = ends[nth + 1]
          if (next === undefined) break
          const [begun] = await balancesBefore(db, [account], at(end))
          const lines = await linesOf([account], at(end), at(next))
          const [closing = -1n] = await balancesBefore(db, [account], at(next))
          expect(begun).toBe(opening)
          expect(opening + lines.reduce((sum, { amount }) => sum + amount, 0n)).toBe(closing)
          all.unshift(...lines)
          opening = closing
        }
        expect(opening).toBe(had)
        expect(all).toHaveLength(moves.length)
      },
    ),
    { numRuns: 25 },
  )
  await bookAt(own.owner)
})

test('a period is final when every transaction begun before its end has ended, also one that is open across midnight', async () => {
  const account = memberAccount(5_000n, 'memberAvailable', 'USDT')
  const midnight = at(9_000 * DAY_MS)
  const other = openDatabase({ url: own.url, log: silentLog(), poolSize: 1 })
  try {
    await bookAt(own.owner, new Date(midnight.getTime() - 1_000))
    await close()
    const { promise: held, resolve: commit } = Promise.withResolvers<void>()
    const { promise: isPosted, resolve: posted } = Promise.withResolvers<void>()
    const open = transaction(other, async (tx) => {
      await move(tx, account, 5n, midnight)
      posted()
      await held
    })
    await isPosted
    await bookAt(own.owner, new Date(midnight.getTime() + 1_000))
    for (let run = 0; run < 5; run++) await transaction(db, (tx) => countDays(tx))
    expect(must(await readFinalBefore(db), 'something is final').getTime()).toBeLessThan(midnight.getTime())
    expect(await balancesBefore(db, [account], midnight)).toEqual([0n])
    commit()
    await open
    await close()
    expect(must(await readFinalBefore(db), 'something is final').getTime()).toBeGreaterThan(midnight.getTime())
    expect(await balancesBefore(db, [account], midnight)).toEqual([5n])
  } finally {
    await other.destroy()
    await bookAt(own.owner)
  }
})

test('nothing is booked before what is final, also where the clock of another machine is behind', async () => {
  const account = memberAccount(6_000n, 'memberAvailable', 'USDT')
  await bookAt(own.owner, at(10_000 * DAY_MS))
  await transaction(db, (tx) => move(tx, account, 5n, at(0)))
  await close()
  const final = must(await readFinalBefore(db), 'something is final')
  await bookAt(own.owner, at(9_999 * DAY_MS))
  await transaction(db, (tx) => move(tx, account, 7n, at(0)))
  const [line] = await linesOf([account], final, at(20_000 * DAY_MS))
  expect(line).toMatchObject({ amount: 7n, balance: 12n, bookedAt: final })
  await bookAt(own.owner)
})

test('postings that tell no time of booking are booked when they happened', async () => {
  await using database = await createTestDatabase({ asOwner: true })
  const account = memberAccount(7_000n, 'memberAvailable', 'USDT')
  await sql`alter table ledger_posting alter column booked_at drop default`.execute(database.db)
  await transaction(database.db, (tx) => move(tx, account, 5n, at(DAY_MS)))
  expect(await balancesBefore(database.db, [account], at(DAY_MS))).toEqual([0n])
  expect(await balancesBefore(database.db, [account], at(DAY_MS + 1))).toEqual([5n])
})
