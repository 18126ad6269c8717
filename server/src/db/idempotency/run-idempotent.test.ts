import { createHash } from 'node:crypto'
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isAppError } from '../../kernel/errors.ts'
import { migrate, migrationsFolder } from '../migrate.ts'
import type { IdempotentCall } from './request-keys.ts'
import { findResult, runIdempotent } from './run-idempotent.ts'
import { KEEP_RESULT_MS, sweepResults } from './sweep-results.ts'
import { transaction } from '../open.ts'
import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'

let database: TestDatabase
let memberId: bigint
const now = new Date('2026-03-01T00:00:00.000Z')

beforeAll(async () => {
  database = await createTestDatabase()
  const inserted = await sql<{ id: bigint }>`
    insert into member (address, invitation_code, joined_at)
    values (${`0x${'1'.repeat(40)}`}, 'AAAA1111', ${now}) returning id`.execute(database.db)
  memberId = inserted.rows[0]?.id ?? 0n
})
afterAll(() => database.drop())

const callWith = (requestId: string, input: unknown): IdempotentCall => ({
  memberId,
  requestId,
  endpoint: 'POST test/pay',
  input,
  now,
})

test('the same id and input return the first result, and the work is done once', async () => {
  let runs = 0
  const run = (input: unknown) =>
    transaction(database.db, (tx) => runIdempotent(tx, callWith('same-input', input), async () => ({ run: ++runs })))
  expect(await run({ amount: 5n, to: 'a' })).toEqual({ run: 1 })
  expect(await run({ to: 'a', amount: 5n })).toEqual({ run: 1 })
  expect(runs).toBe(1)
})

test('other input or another endpoint under the same id is refused', async () => {
  const first = callWith('other-input', { amount: 5n })
  await transaction(database.db, (tx) => runIdempotent(tx, first, async () => ({ ok: true })))
  for (const call of [
    { ...first, input: { amount: 6n } },
    { ...first, input: { amount: '5' } },
    { ...first, endpoint: 'POST test/other' },
  ]) {
    const failure = await transaction(database.db, (tx) => runIdempotent(tx, call, async () => ({ ok: true }))).catch(
      (error: unknown) => error,
    )
    expect(isAppError(failure, 4090)).toBe(true)
  }
})

test('a failure is not remembered', async () => {
  const call = callWith('fails-first', { amount: 5n })
  const failing = transaction(database.db, (tx) => runIdempotent(tx, call, () => Promise.reject(new Error('not now'))))
  await expect(failing).rejects.toThrow('not now')
  expect(await transaction(database.db, (tx) => runIdempotent(tx, call, async () => ({ ok: true })))).toEqual({
    ok: true,
  })
})

test('of many at the same time one does the work and all get its result', async () => {
  let runs = 0
  const call = callWith('at-once', { amount: 5n })
  const results = await Promise.all(
    Array.from({ length: 12 }, () =>
      transaction(database.db, (tx) => runIdempotent(tx, call, async () => ({ run: ++runs }))),
    ),
  )
  expect(runs).toBe(1)
  expect(results).toEqual(Array.from({ length: 12 }, () => ({ run: 1 })))
})

/** How many results are still stored. */
async function kept(): Promise<number> {
  const rows = await database.db.selectFrom('request_log').select('result').execute()
  return rows.filter(({ result }) => result !== null).length
}

describe('after its result was swept', () => {
  const later = new Date(now.getTime() + KEEP_RESULT_MS + 1)
  test('the same input is told that it was done, other input is refused, and nothing is done again', async () => {
    let runs = 0
    const run = (input: unknown, endpoint = 'POST test/pay') =>
      transaction(database.db, (tx) =>
        runIdempotent(tx, { ...callWith('swept', input), endpoint, now: later }, async () => ({ run: ++runs })),
      )
    const call = callWith('swept', { amount: 5n })
    await transaction(database.db, (tx) => runIdempotent(tx, call, async () => ({ run: ++runs })))
    const sweepAt = (at: number) => transaction(database.db, (tx) => sweepResults(tx, new Date(at), 1_000))
    await sweepAt(now.getTime() + KEEP_RESULT_MS)
    expect(await run({ amount: 5n })).toEqual({ run: 1 })
    expect(await sweepAt(later.getTime())).toBeGreaterThan(0)
    await expect(run({ amount: 5n })).rejects.toMatchObject({ code: 4091 })
    await expect(run({ amount: 6n })).rejects.toMatchObject({ code: 4090 })
    await expect(run({ amount: 5n }, 'POST test/other')).rejects.toMatchObject({ code: 4090 })
    await expect(findResult(database.db, call)).rejects.toMatchObject({ code: 4091 })
    expect(runs).toBe(1)
  })

  test('twenty repetitions while it is swept get the first result or are told, and none does it again', async () => {
    let runs = 0
    const call = callWith('swept-meanwhile', { amount: 5n })
    const run = () => transaction(database.db, (tx) => runIdempotent(tx, call, async () => ({ run: ++runs })))
    await run()
    const sweep = transaction(database.db, (tx) => sweepResults(tx, later, 1_000))
    const outcomes = await Promise.allSettled([...Array.from({ length: 20 }, run), sweep])
    for (const outcome of outcomes.slice(0, 20)) {
      expect(outcome.status === 'fulfilled' ? outcome.value : outcome.reason).toMatchObject(
        outcome.status === 'fulfilled' ? { run: 1 } : { code: 4091 },
      )
    }
    expect(runs).toBe(1)
  })

  test('it is done in steps, the oldest first', async () => {
    await transaction(database.db, (tx) => sweepResults(tx, later, 1_000))
    expect(await kept()).toBe(0)
    const calls = Array.from({ length: 7 }, (_, nth) => ({
      ...callWith(`step-${nth}`, {}),
      now: new Date(now.getTime() + nth),
    }))
    for (const [nth, call] of calls.entries()) {
      await transaction(database.db, (tx) => runIdempotent(tx, call, async () => ({ nth })))
    }
    const step = () => transaction(database.db, (tx) => sweepResults(tx, new Date(later.getTime() + 6), 3))
    expect(await step()).toBe(3)
    await expect(findResult(database.db, calls[2] as IdempotentCall)).rejects.toMatchObject({ code: 4091 })
    expect(await findResult(database.db, calls[3] as IdempotentCall)).toEqual({ nth: 3 })
    expect([await step(), await step(), await step(), await kept()]).toEqual([3, 1, 0, 0])
  })
})

test('what a database remembered before ids were stored as keys stays known', async () => {
  await using old = await createTestDatabase()
  await sql`drop schema public cascade`.execute(old.db)
  await sql`create schema public`.execute(old.db)
  const folder = mkdtempSync(path.join(tmpdir(), 'candela-migrations-'))
  try {
    const files = readdirSync(migrationsFolder).toSorted()
    const place = files.findIndex((file) => file.endsWith('_compact_requests.sql'))
    const copy = (name: string) => copyFileSync(path.join(migrationsFolder, name), path.join(folder, name))
    files.slice(0, place).forEach(copy)
    await migrate(old.db, folder)
    await sql`
      insert into member (address, invitation_code, joined_at) overriding system value
      values (${`0x${'1'.repeat(40)}`}, 'AAAA1111', ${now})`.execute(old.db)
    const { rows } = await sql<{ id: bigint }>`select id from member`.execute(old.db)
    const call = { ...callWith('from-before', { to: 'é', amount: 5n }), memberId: rows[0]?.id ?? 0n }
    const inputHash = createHash('sha256').update('{"amount":{"bigint":"5"},"to":"é"}').digest()
    await sql`
      insert into request_log (member_id, request_id, endpoint, input_hash, result, created_at)
      values (${call.memberId}, ${call.requestId}, ${call.endpoint}, ${inputHash}, '{"first": 1}', ${now})`.execute(
      old.db,
    )
    files.slice(place).forEach(copy)
    await migrate(old.db, folder)
    expect(await findResult(old.db, call)).toEqual({ first: 1 })
    await expect(findResult(old.db, { ...call, input: { amount: 6n } })).rejects.toMatchObject({ code: 4090 })
  } finally {
    rmSync(folder, { recursive: true })
  }
})
