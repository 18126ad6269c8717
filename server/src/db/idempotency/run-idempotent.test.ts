import { createHash } from 'node:crypto'
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { REQUEST_ID_AHEAD_MS, REQUEST_ID_LIFE_MS } from '@candela/protocol/request-id'
import { isAppError } from '../../kernel/errors.ts'
import { requestIdNamed } from '@candela/testing/server/request-id-named'
import { migrate, migrationsFolder } from '../migrate.ts'
import type { IdempotentCall } from './request-keys.ts'
import { findResult, runIdempotent } from './run-idempotent.ts'
import { KEEP_REQUEST_MS, sweepRequests } from './sweep-requests.ts'
import { transaction } from '../open.ts'
import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'

let database: TestDatabase
let memberId: bigint
const now = new Date('2026-03-01T00:00:00.000Z')

beforeAll(async () => {
  database = await createTestDatabase({ asOwner: true })
  const inserted = await sql<{ id: bigint }>`
    insert into member (address, invitation_code, joined_at)
    values (${`0x${'1'.repeat(40)}`}, 'AAAA1111', ${now}) returning id`.execute(database.db)
  memberId = inserted.rows[0]?.id ?? 0n
})
afterAll(() => database.drop())

const callWith = (name: string, input: unknown): IdempotentCall => ({
  memberId,
  requestId: requestIdNamed(name, now),
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

const at = (ms: number) => new Date(now.getTime() + ms)
const ahead = (ms: number) => ({ ...callWith('', {}), requestId: requestIdNamed(`ahead ${ms}`, at(ms)) })
const storedOf = async () => (await database.db.selectFrom('request_log').select('request_key').execute()).length

describe('an id', () => {
  let runs = 0
  const runAt = (call: IdempotentCall, time: Date) =>
    transaction(database.db, (tx) => runIdempotent(tx, { ...call, now: time }, async () => ({ run: ++runs })))

  test('that is 30 days old is refused, whether it was used or not, and nothing is done', async () => {
    const call = callWith('grows old', {})
    const first = await runAt(call, now)
    expect(await runAt(call, at(REQUEST_ID_LIFE_MS))).toEqual(first)
    const before = runs
    const tooOld = at(REQUEST_ID_LIFE_MS + 1)
    await expect(runAt(call, tooOld)).rejects.toMatchObject({ code: 4091 })
    await expect(runAt(callWith('never used', {}), tooOld)).rejects.toMatchObject({ code: 4091 })
    await expect(findResult(database.db, { ...call, now: tooOld })).rejects.toMatchObject({ code: 4091 })
    expect(runs).toBe(before)
  })

  test('that is ahead of the server’s time is refused, but for what clocks may differ by', async () => {
    await expect(runAt(ahead(REQUEST_ID_AHEAD_MS + 1), now)).rejects.toMatchObject({
      code: 400,
      params: { field: 'requestId', reason: 'dateAhead' },
    })
    const before = runs
    expect(await runAt(ahead(REQUEST_ID_AHEAD_MS), now)).toEqual({ run: before + 1 })
  })

  test('is swept only after nothing can be done under it any more, however far it was ahead', async () => {
    await transaction(database.db, (tx) => sweepRequests(tx, at(KEEP_REQUEST_MS * 2), 1_000))
    const furthest = { ...callWith('', {}), requestId: requestIdNamed('furthest ahead', at(REQUEST_ID_AHEAD_MS)) }
    await runAt(furthest, now)
    const sweepAt = (ms: number) => transaction(database.db, (tx) => sweepRequests(tx, at(ms), 1_000))
    expect(await sweepAt(KEEP_REQUEST_MS)).toBe(0)
    expect(await storedOf()).toBe(1)
    expect(await sweepAt(KEEP_REQUEST_MS + 1)).toBe(1)
    await expect(runAt(furthest, at(KEEP_REQUEST_MS + 1))).rejects.toMatchObject({ code: 4091 })
    expect(await storedOf()).toBe(0)
  })

  test('is swept in steps, the oldest first', async () => {
    const calls = Array.from({ length: 7 }, (_, nth) => callWith(`step-${nth}`, {}))
    for (const [nth, call] of calls.entries()) await runAt(call, at(nth))
    const step = () => transaction(database.db, (tx) => sweepRequests(tx, at(KEEP_REQUEST_MS + 7), 3))
    expect(await step()).toBe(3)
    const [, , third, fourth] = calls
    expect(await findResult(database.db, third as IdempotentCall)).toBeUndefined()
    expect(await findResult(database.db, fourth as IdempotentCall)).toBeDefined()
    expect([await step(), await step(), await step()]).toEqual([3, 1, 0])
  })
})

test('what a database remembered before ids were stored as keys stays known', async () => {
  await using old = await createTestDatabase({ asOwner: true })
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

test('an answer stays on the page of its request id, and is written to no index', async () => {
  // One connection, so that what it has counted is there when it is asked for.
  await using own = await createTestDatabase({ poolSize: 1, asOwner: true })
  const { db } = own
  await sql`insert into member (address, invitation_code, joined_at) values (${`0x${'1'.repeat(40)}`}, 'AAAA1111', ${now})`.execute(
    db,
  )
  const first = await db.selectFrom('member').select('id').executeTakeFirstOrThrow()
  for (let nth = 0; nth < 300; nth++) {
    const call = { ...callWith(`space-${nth}`, {}), memberId: first.id }
    // This text has the length of a loan's answer, and nothing that Postgres could compress.
    const answer = { text: createHash('sha512').update(String(nth)).digest('base64url').repeat(9) }
    await transaction(db, (tx) => runIdempotent(tx, call, () => Promise.resolve(answer)))
  }
  await sql`select pg_stat_force_next_flush()`.execute(db)
  const { rows } = await sql`
    select n_tup_upd as answers, n_tup_hot_upd as "onTheirPage" from pg_stat_user_tables where relname = 'request_log'`.execute(
    db,
  )
  expect(rows).toEqual([{ answers: 300n, onTheirPage: 300n }])
})
