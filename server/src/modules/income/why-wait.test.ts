import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Database, transaction } from '../../db/open.ts'
import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'
import { addDays, startOfDay } from '@candela/protocol/calendar'
import { addRevenue, DEPTH, finalAt } from './testing.ts'
import { lockFollowed, whyWait } from './why-wait.ts'

const DAY = '2026-03-01'
const end = startOfDay(addDays(DAY, 1))
const before = (ms: number) => new Date(end.getTime() - ms)
const after = (ms: number) => new Date(end.getTime() + ms)
const CONFIRMING = 'payments that belong to the day are still confirming'
const NOT_FINAL = 'the blocks of the day are not final yet'

let own: TestDatabase
let db: Database
beforeAll(async () => {
  own = await createTestDatabase()
  db = own.db
})
afterAll(() => own.drop())
beforeEach(async () => {
  await db.deleteFrom('chain_event').execute()
  await finalAt(db, end)
})

const reason = (maxWait_ms = 60_000) =>
  transaction(db, async (tx) => whyWait(tx, await lockFollowed(tx), DAY, { depth: DEPTH, maxWait_ms }))

/** A payment that is not credited yet. */
async function confirming(action: 'revenue' | 'deposit', forDay: string, at: Date): Promise<void> {
  const isRevenue = action === 'revenue'
  const id = await addRevenue(db, isRevenue ? forDay : DAY, 1n, at)
  await db
    .updateTable('chain_event')
    .set({
      state: 'recorded',
      outcome: null,
      credited_at: null,
      action,
      ...(!isRevenue && { reference: forDay, revenue_day: null }),
    })
    .where('id', '=', id)
    .execute()
}

test('a day whose blocks are final and credited need not wait', async () => {
  expect(await reason()).toBeNull()
})

test('the block that is exactly as deep as the largest payment needs has to be beyond the day', async () => {
  // Followed up to 102: with a depth of three, 100 is the last block that does not change any more.
  expect(DEPTH).toBe(3)
  await sql`update chain_block set at = ${before(1)} where number <= 100`.execute(db)
  expect(await reason()).toBe(NOT_FINAL)
  await sql`update chain_block set at = ${end} where number = 100`.execute(db)
  expect(await reason()).toBeNull()
})

test('whatever was paid within the day is waited for, and nothing that was paid after it', async () => {
  await confirming('deposit', 'D1', end)
  expect(await reason()).toBeNull()
  await confirming('deposit', 'D1', before(1))
  expect(await reason()).toBe(CONFIRMING)
})

test('a payment that cannot be settled does not hold its day open', async () => {
  await confirming('deposit', 'D1', before(1))
  expect(await reason()).toBe(CONFIRMING)
  await db.updateTable('chain_event').set({ failures: 1, last_failure: 'a fault', retry_at: end }).execute()
  expect(await reason()).toBeNull()
})

test('revenue for the day that came after it is waited for within the limit; revenue for a later day is not', async () => {
  await confirming('revenue', addDays(DAY, 1), after(1_000))
  expect(await reason()).toBeNull()
  await confirming('revenue', DAY, after(1_000))
  expect(await reason(1_001)).toBe(CONFIRMING)
  expect(await reason(1_000)).toBeNull()
})
