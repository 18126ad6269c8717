import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'
import { updateJuUid } from './update-ju-uid.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('whoever says a UID first does not keep it from anybody else, because nobody proves it', async () => {
  const { db } = database
  const rows = ['0x1', '0x2'].map((start, at) => ({
    address: start.padEnd(42, '0'),
    inviter_id: null,
    invitation_code: `JUUID${at}`,
    joined_at: new Date('2026-03-01T00:00:00Z'),
  }))
  const [first, second] = (await db.insertInto('member').values(rows).returning('id').execute()).map(({ id }) => id)
  const uidOf = async (id = 0n) =>
    (await db.selectFrom('member').select('ju_uid').where('id', '=', id).executeTakeFirstOrThrow()).ju_uid
  await updateJuUid(db, first ?? 0n, 88_012n)
  await updateJuUid(db, first ?? 0n, 88_012n)
  await updateJuUid(db, second ?? 0n, 88_012n)
  expect([await uidOf(first), await uidOf(second)]).toEqual([88_012n, 88_012n])
  await updateJuUid(db, first ?? 0n, 77n)
  expect([await uidOf(first), await uidOf(second)]).toEqual([77n, 88_012n])
})
