import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { silentLog } from '../kernel/log.ts'
import { openDatabase, sqlState, transaction } from './open.ts'
import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'

let own: TestDatabase
beforeAll(async () => {
  own = await createTestDatabase({ asOwner: true })
  await sql`create table seat (n integer primary key, taken integer not null)`.execute(own.db)
  await sql`insert into seat values (1, 0), (2, 0)`.execute(own.db)
})
afterAll(() => own.drop())

async function taken(): Promise<bigint | undefined> {
  const { rows } = await sql<{ sum: bigint }>`select sum(taken) as sum from seat`.execute(own.db)
  return rows[0]?.sum
}

test('numbers come as bigint, times as Date, dates as text, json parsed', async () => {
  const { rows } = await sql`select 9007199254740993::int8 as big, (10::numeric ^ 77)::numeric(78, 0) as amount,
    '2026-01-02T03:04:05.678Z'::timestamptz as at, '2026-01-02'::date as day, '{"a": [1]}'::jsonb as json,
    array[1, null]::int8[] as bigs, array[2]::numeric[] as amounts, '{}'::int8[] as none, count(*) as count`.execute(
    own.db,
  )
  expect(rows[0]).toEqual({
    big: 9007199254740993n,
    amount: 10n ** 77n,
    at: new Date('2026-01-02T03:04:05.678Z'),
    day: '2026-01-02',
    json: { a: [1] },
    bigs: [1n, null],
    amounts: [2n],
    none: [],
    count: 1n,
  })
  await expect(sql`select 1.5::numeric as half`.execute(own.db)).rejects.toThrow(SyntaxError)
})

test('a statement that takes too long is cancelled', async () => {
  const db = openDatabase({ url: own.url, log: silentLog(), statementTimeout_ms: 50 })
  await expect(sql`select pg_sleep(3600)`.execute(db)).rejects.toSatisfy((error) => sqlState(error) === '57014')
  await db.destroy()
})

describe('transaction', () => {
  test('repeats the whole function after a serialization failure, so that no update is lost', async () => {
    const before = (await taken()) ?? 0n
    let runs = 0
    const take = () =>
      transaction(
        own.db,
        async (tx) => {
          runs++
          const { rows } = await sql<{ taken: number }>`select taken from seat where n = 1`.execute(tx)
          await sql`update seat set taken = ${(rows[0]?.taken ?? 0) + 1}::integer where n = 1`.execute(tx)
        },
        { isolation: 'repeatable read' },
      )
    await Promise.all(Array.from({ length: 6 }, take))
    expect(await taken()).toBe(before + 6n)
    expect(runs).toBeGreaterThan(6)
  })

  test('repeats after a deadlock', async () => {
    const before = (await taken()) ?? 0n
    let waiting = 0
    let bothHold: () => void
    const meeting = new Promise<void>((resolve) => (bothHold = resolve))
    const cross = (first: number, second: number) =>
      transaction(own.db, async (tx) => {
        await sql`set local deadlock_timeout = '50ms'`.execute(tx)
        await sql`update seat set taken = taken + 1 where n = ${first}`.execute(tx)
        if (++waiting === 2) bothHold()
        await meeting
        await sql`update seat set taken = taken + 1 where n = ${second}`.execute(tx)
      })
    await Promise.all([cross(1, 2), cross(2, 1)])
    // Two attempts and at least one repetition; on a slow machine the repetition may meet the other once more.
    expect(waiting).toBeGreaterThanOrEqual(3)
    expect(await taken()).toBe(before + 4n)
  })

  test('gives up after the attempts it was given, and never repeats other failures', async () => {
    let runs = 0
    const failing = (state: string, attempts: number) =>
      transaction(
        own.db,
        async (tx) => {
          runs++
          await sql.raw(`do $$ begin raise exception 'no' using errcode = '${state}'; end $$`).execute(tx)
        },
        { attempts },
      )
    await expect(failing('40001', 3)).rejects.toThrow('no')
    expect(runs).toBe(3)
    await expect(failing('22000', 3)).rejects.toThrow('no')
    expect(runs).toBe(4)
  })
})
