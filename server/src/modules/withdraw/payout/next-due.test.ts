import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { HOUR_MS } from '@candela/protocol/units'
import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'
import { addWithdrawal } from '../testing.ts'
import { hasTurn, MAX_IN_FLIGHT_PER_MEMBER, nextDue } from './next-due.ts'
import { transaction } from '../../../db/open.ts'

const now = new Date('2026-03-15T12:00:00Z')
/** What the tests before have left queued is tried then. */
const never = new Date('2999-01-01T00:00:00Z')
const payer = `0x${'f'.repeat(40)}`

let own: TestDatabase
let nth = 0
let nonce = 0n
let alice: Member
let bob: Member
beforeAll(async () => {
  own = await createTestDatabase()
  await own.db.insertInto('payer').values({ address: payer, next_nonce: 0n }).execute()
})
afterAll(() => own.drop())
beforeEach(async () => {
  await own.db.updateTable('withdrawal').set({ try_at: never }).where('state', '=', 'queued').execute()
  ;[alice, bob] = [await addMember(), await addMember()]
})

type Member = { member_id: bigint; to_address: string }
async function addMember(): Promise<Member> {
  nth += 1
  const address = `0x${nth.toString(16).padStart(40, '0')}`
  const row = { address, inviter_id: null, invitation_code: `DUE${nth}`, joined_at: now }
  const { id } = await own.db.insertInto('member').values(row).returning('id').executeTakeFirstOrThrow()
  return { member_id: id, to_address: address }
}

type Change = Partial<Parameters<typeof addWithdrawal>[2]>
const add = (member: Member, change: Change = {}) =>
  addWithdrawal(own.db, ++nth, { ...member, state: 'queued', created_at: now, ...change })
const sending = (member: Member) => add(member, { state: 'sending', payer, nonce: nonce++ })
const reverted = (member: Member, at: Date) => add(member, { state: 'failed', reason: 'reverted', changed_at: at })

const dueMember = async (at = now) => (await nextDue(own.db, at))?.member_id

test('who has fewer payments under way comes before who has waited longer', async () => {
  await add(alice)
  await add(bob)
  expect(await dueMember()).toBe(alice.member_id)
  await sending(alice)
  expect(await dueMember()).toBe(bob.member_id)
  await sending(bob)
  expect(await dueMember()).toBe(alice.member_id)
})

test('whose payments reverted comes after everybody else, also after who has more under way', async () => {
  await add(alice)
  await add(bob)
  await sending(bob)
  expect(await dueMember()).toBe(alice.member_id)
  await reverted(alice, now)
  expect(await dueMember()).toBe(bob.member_id)
})

test('who has as many under way as a member may have is not due, however few others there are', async () => {
  await add(alice)
  for (let payments = 0; payments < MAX_IN_FLIGHT_PER_MEMBER; payments++) {
    expect(await dueMember()).toBe(alice.member_id)
    expect(await transaction(own.db, (tx) => hasTurn(tx, alice.member_id))).toBe(true)
    await sending(alice)
  }
  expect(await dueMember()).toBeUndefined()
  expect(await transaction(own.db, (tx) => hasTurn(tx, alice.member_id))).toBe(false)
})

test('what is to be tried later is due from that moment on', async () => {
  const later = new Date(now.getTime() + HOUR_MS)
  await add(alice, { try_at: later })
  expect(await dueMember(new Date(later.getTime() - 1))).toBeUndefined()
  expect(await dueMember(later)).toBe(alice.member_id)
})
