import { DAY_MS } from '@candela/protocol/units'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../db/open.ts'
import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'
import { causeOfReview, readEvidence, revertedSince } from './evidence.ts'
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
    invitation_code: `EVIDENT${nth}`,
    joined_at: now,
  }))
  members = (await db.insertInto('member').values(rows).returning('id').execute()).map(({ id }) => id)
})
afterAll(() => own.drop())

let nth = 0
/** A withdrawal of the first member or the second that ended at a time. */
const ended = (of: 0 | 1, at: Date, reason: 'reverted' | 'unclear' | 'unpaid' = 'reverted') =>
  addWithdrawal(db, ++nth, {
    member_id: members[of] ?? 0n,
    to_address: addresses[of],
    state: 'failed',
    reason,
    created_at: at,
    changed_at: at,
  })

const reverted = async (of: 0 | 1) =>
  (await readEvidence(db, { memberId: members[of] ?? 0n, address: addresses[of] }, now)).reverted

test('a member’s own payments that reverted in the last 30 days count, and no others', async () => {
  expect([await reverted(0), await reverted(1)]).toEqual([0, 0])
  await ended(0, now)
  await ended(0, revertedSince(now))
  expect([await reverted(0), await reverted(1)]).toEqual([2, 0])
  await ended(0, new Date(revertedSince(now).getTime() - 1))
  await ended(0, now, 'unpaid')
  expect([await reverted(0), await reverted(1)]).toEqual([2, 0])
  await ended(1, now, 'unclear')
  expect([await reverted(0), await reverted(1)]).toEqual([2, 1])
  expect(now.getTime() - revertedSince(now).getTime()).toBe(30 * DAY_MS)
})

const cause = (orphaned: number, reverts: number, seen?: { orphaned: number; reverted: number }) =>
  causeOfReview({ orphaned, reverted: reverts }, seen)

test('a review is asked for by what operators have not seen: one vanished payment, or two that reverted', () => {
  expect([cause(0, 0), cause(0, 1), cause(0, 2), cause(1, 0)]).toEqual([null, null, 'reverts', 'flagged'])
  expect([cause(1, 2, { orphaned: 1, reverted: 2 }), cause(1, 3, { orphaned: 1, reverted: 2 })]).toEqual([
    null,
    'reverts',
  ])
  expect(cause(2, 2, { orphaned: 1, reverted: 2 })).toBe('flagged')
})
