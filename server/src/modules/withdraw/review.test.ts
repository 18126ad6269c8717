import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, transaction } from '../../db/open.ts'
import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'
import { approveWithdrawal, readApprovals } from './review.ts'
import { addWithdrawal } from './testing.ts'

const now = new Date('2026-03-15T12:00:00Z')
const address = `0x${'a'.repeat(40)}`

let own: TestDatabase
let db: Database
let memberId: bigint
beforeAll(async () => {
  own = await createTestDatabase()
  db = own.db
  const member = { address, inviter_id: null, invitation_code: 'REVIEWED', joined_at: now }
  memberId = (await db.insertInto('member').values(member).returning('id').executeTakeFirstOrThrow()).id
})
afterAll(() => own.drop())

let nth = 0
const asked = (state: 'review' | 'queued' | 'rejected', approvals: 1 | 2): Promise<string> =>
  addWithdrawal(db, ++nth, { member_id: memberId, to_address: address, state, approvals })

const approve = (no: string, ...operators: string[]) =>
  transaction(db, (tx) => approveWithdrawal(tx, no, operators, now))
const stateOf = async (no: string) =>
  (await db.selectFrom('withdrawal').select('state').where('withdrawal_no', '=', no).executeTakeFirstOrThrow()).state

test('as many different operators as it needs let it go on, and one who signs twice is one', async () => {
  const no = await asked('review', 2)
  expect(await transaction(db, (tx) => readApprovals(tx, no))).toBe(2)
  expect([await approve(no, 'ada'), await approve(no, 'ada', 'ada')]).toEqual(['tooFew', 'tooFew'])
  expect(await stateOf(no)).toBe('review')
  expect(await approve(no, 'ada', 'bob')).toBe('approved')
  expect(await stateOf(no)).toBe('queued')
})

test('what was known when it was approved is kept with it', async () => {
  for (let payment = 0; payment < 2; payment++) {
    await addWithdrawal(db, ++nth, { member_id: memberId, to_address: address, state: 'failed', reason: 'reverted' })
  }
  const no = await asked('review', 1)
  expect(await approve(no, 'ada')).toBe('approved')
  const seen = db.selectFrom('withdrawal').select(['seen_orphaned', 'seen_reverted']).where('withdrawal_no', '=', no)
  expect(await seen.executeTakeFirstOrThrow()).toEqual({ seen_orphaned: 0, seen_reverted: 2 })
})

test('only what waits for a review is approved', async () => {
  for (const state of ['queued', 'rejected'] as const) {
    const no = await asked(state, 1)
    expect(await transaction(db, (tx) => readApprovals(tx, no))).toBe('notInReview')
    expect(await approve(no, 'ada')).toBe('notInReview')
    expect(await stateOf(no)).toBe(state)
  }
  expect([await approve('none', 'ada'), await transaction(db, (tx) => readApprovals(tx, 'none'))]).toEqual([
    'unknown',
    'unknown',
  ])
})
