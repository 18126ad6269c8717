import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isAppError } from '../../kernel/errors.ts'
import { runIdempotent, type IdempotentCall } from './run-idempotent.ts'
import { transaction } from '../open.ts'
import { createTestDatabase, type TestDatabase } from '../testing.ts'

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
