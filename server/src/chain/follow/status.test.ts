import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'
import { readFollowerStatus } from './status.ts'

const now = new Date('2026-03-15T12:00:00Z')
const before = (seconds: number) => new Date(now.getTime() - seconds * 1_000)

let own: TestDatabase
beforeAll(async () => {
  own = await createTestDatabase()
  const cursor = { chain_id: 1n, gateway: `0x${'a'.repeat(40)}`, start_block: 1n, followed: 5n, head: 5n }
  const times = { followed_hash: `0x${'5'.repeat(64)}`, head_seen_at: now, head_at: now, halted_reason: null }
  await own.db
    .insertInto('chain_cursor')
    .values({ ...cursor, ...times })
    .execute()
  await own.db
    .insertInto('chain_block')
    .values({ number: 5n, hash: times.followed_hash, parent_hash: `0x${'4'.repeat(64)}`, at: before(10) })
    .execute()
})
afterAll(() => own.drop())

const lagWith = async (change: { head?: bigint; head_seen_at?: Date; head_at?: Date }) => {
  await own.db
    .updateTable('chain_cursor')
    .set({ head: 5n, head_seen_at: now, head_at: before(10), ...change })
    .execute()
  return (await readFollowerStatus(own.db, now))?.lag_s
}

test('what is known of the chain is as old as the last followed block', async () => {
  expect(await lagWith({})).toBe(10)
  // Another node has a newer block of the same number.
  expect(await lagWith({ head_at: before(4) })).toBe(4)
})

test('and as old as the last answer, when that is longer ago', async () => {
  expect(await lagWith({ head_seen_at: before(60) })).toBe(60)
})

test('a head that is not followed yet makes it no younger', async () => {
  expect(await lagWith({ head: 9n, head_at: before(1) })).toBe(10)
})
