import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../db/open.ts'
import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'
import { readAllowances } from './quote.ts'
import { addWithdrawal } from './testing.ts'

const now = new Date('2026-03-15T12:00:00Z')
const addresses = [`0x${'a'.repeat(40)}`, `0x${'b'.repeat(40)}`] as const

let own: TestDatabase
let db: Database
let members: bigint[]
beforeAll(async () => {
  own = await createTestDatabase()
  db = own.db
  const rows = addresses.map((address, nth) => ({
    address,
    inviter_id: null,
    invitation_code: `ALLOWED${nth}`,
    joined_at: now,
  }))
  members = (await db.insertInto('member').values(rows).returning('id').execute()).map(({ id }) => id)
})
afterAll(() => own.drop())

let nth = 0
/** A withdrawal of the first member or the second, worth so much. */
const ask = (of: 0 | 1, worth: bigint, at: string, state: 'queued' | 'done' | 'failed' | 'rejected' = 'queued') =>
  addWithdrawal(db, ++nth, {
    member_id: members[of] ?? 0n,
    to_address: addresses[of],
    worth_usdt: worth,
    state,
    created_at: new Date(at),
  })

async function used(of: 0 | 1): Promise<bigint[]> {
  const { day, month } = await readAllowances(db, members[of] ?? 0n, now)
  return [day.used, month.used]
}

test('each member’s own withdrawals of the day and of the month count, but for those that gave the money back', async () => {
  await ask(0, 1n, '2026-03-15T00:00:00Z')
  await ask(0, 2n, '2026-03-15T11:00:00Z', 'done')
  await ask(0, 4n, '2026-03-14T23:59:59.999Z')
  await ask(0, 8n, '2026-03-01T00:00:00Z', 'done')
  await ask(0, 16n, '2026-02-28T23:59:59.999Z')
  await ask(0, 32n, '2026-03-15T10:00:00Z', 'rejected')
  await ask(0, 64n, '2026-03-15T10:00:00Z', 'failed')
  await ask(1, 128n, '2026-03-15T10:00:00Z')
  expect(await used(0)).toEqual([3n, 15n])
  expect(await used(1)).toEqual([128n, 128n])
})
