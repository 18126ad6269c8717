import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '@candela/protocol/units'
import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'
import { addWithdrawal } from '../testing.ts'
import {
  chooseDue,
  FIRST_AFTER_MS,
  hasTurn,
  MAX_IN_FLIGHT_PER_MEMBER,
  readDue,
  readLateTakenBack,
  type Rooms,
} from './next-due.ts'
import { transaction } from '../../../db/open.ts'

const now = new Date('2026-03-15T12:00:00Z')
/** Withdrawals that earlier tests have left queued are tried then. */
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

/** Room for anything that these tests ask for. */
const roomy = (): Rooms => ({ JU: room(1_000n), USDT: room(1_000n), HASH: room(1_000n) })
const room = (left: bigint, cap = 1_000n) => ({
  cap,
  leftOfCap: left,
  leftOfHeld: 1_000n,
  leftOfFresh: 1_000n,
  isHalfKept: false,
})
/** The withdrawal is of `amount` and 1 base unit of fee. */
const paying = (amount: bigint): Change => ({ amount: amount + 1n })

const dueMember = async (at = now) => (await readDue(own.db, roomy(), at))[0]?.member_id
/** Reads whose withdrawals are signed, in their order. */
async function chosen(rooms = roomy(), { count = 16, last = null as 'JU' | 'USDT' | 'HASH' | null, at = now } = {}) {
  const due = chooseDue(await readDue(own.db, rooms, at), rooms, { count, last, now: at })
  return due.map(({ member_id: member, asset, payout_amount: amount }) => {
    const who = member === alice.member_id ? 'alice' : member === bob.member_id ? 'bob' : 'other'
    return `${who} ${amount} ${asset}`
  })
}

test('who has waited longest comes first, also with a payment under way that another has not', async () => {
  await sending(alice)
  await add(alice)
  await add(bob)
  expect(await chosen()).toEqual(['alice 1 USDT', 'bob 1 USDT'])
})

test('a long list of one member takes no more than its turns before the next member', async () => {
  for (let count = 0; count < 100; count++) await add(alice)
  await add(bob)
  expect(await chosen()).toEqual(['alice 1 USDT', 'alice 1 USDT', 'bob 1 USDT'])
})

test('a member with nothing but two turns has two, whatever assets it asks for', async () => {
  for (const asset of ['JU', 'USDT', 'HASH'] as const) await add(alice, { asset })
  await add(bob, { asset: 'HASH' })
  expect(await chosen()).toEqual(['alice 1 JU', 'alice 1 USDT', 'bob 1 HASH'])
})

const assets = async (last: 'JU' | 'USDT' | 'HASH' | null) =>
  (await chosen(roomy(), { count: 3, last })).map((one) => one.split(' ')[2])

test('assets take turns, beginning behind the one that had the last', async () => {
  const members = [alice, bob, await addMember(), await addMember(), await addMember()]
  for (const member of members) await add(member, { asset: 'JU' })
  await add(await addMember(), { asset: 'HASH' })
  expect(await assets(null)).toEqual(['JU', 'HASH', 'JU'])
  expect(await assets('JU')).toEqual(['HASH', 'JU', 'JU'])
})

test('the oldest that fits beside those before it is signed, and what is left is what is left', async () => {
  await add(alice, paying(60n))
  await add(bob, paying(50n))
  await add(await addMember(), paying(40n))
  const rooms = { ...roomy(), USDT: room(100n) }
  expect(await chosen(rooms)).toEqual(['alice 60 USDT', 'other 40 USDT'])
  expect(rooms.USDT.leftOfCap).toBe(0n)
  expect(await chosen({ ...roomy(), USDT: { ...room(100n), leftOfHeld: 50n } })).toEqual(['bob 50 USDT'])
})

test('what has waited for a day is signed first, and keeps what it needs from those behind it until it fits', async () => {
  const late = await addMember()
  await add(late, paying(10n))
  await add(bob, { ...paying(300n), created_at: new Date(now.getTime() - FIRST_AFTER_MS) })
  expect(await chosen(roomy(), { count: 1 })).toEqual(['bob 300 USDT'])
  const short = () => ({ ...roomy(), USDT: room(100n) })
  expect(await chosen(short())).toEqual([])
  expect(await chosen(short(), { at: new Date(now.getTime() - 1) })).toEqual(['other 10 USDT'])
  // Other assets go on, and so does this one where nothing could ever pay it.
  await add(late, { asset: 'JU' })
  expect(await chosen(short())).toEqual(['other 1 JU'])
  expect(await chosen({ ...roomy(), USDT: room(100n, 299n) })).toEqual(['other 1 JU', 'other 10 USDT'])
  expect(await chosen({ ...roomy(), USDT: { ...room(100n), leftOfHeld: 299n } })).toEqual([
    'other 1 JU',
    'other 10 USDT',
  ])
})

const assetsAt = async (at: Date) => [...(await readLateTakenBack(own.db, at))]

test('where one that had waited for a day was taken back within a week, such a one keeps half of what comes back', async () => {
  const ended = (waited_ms: number) =>
    add(alice, {
      state: 'rejected',
      created_at: new Date(now.getTime() - waited_ms),
      taken_back_at: now,
      changed_at: now,
    })
  await ended(FIRST_AFTER_MS - 1)
  expect(await assetsAt(now)).toEqual([])
  await ended(FIRST_AFTER_MS)
  expect(await assetsAt(now)).toEqual(['USDT'])
  expect(await assetsAt(new Date(now.getTime() + 7 * DAY_MS - 1))).toEqual(['USDT'])
  expect(await assetsAt(new Date(now.getTime() + 7 * DAY_MS))).toEqual([])

  // The first of two that do not fit keeps a quarter of the cap after half a day; the second keeps nothing beside.
  const at = new Date(now.getTime() + FIRST_AFTER_MS + DAY_MS / 2)
  await add(bob, { ...paying(900n), created_at: now })
  await add(bob, { ...paying(900n), created_at: now })
  const newcomer = await addMember()
  await add(newcomer, { ...paying(50n), created_at: at })
  const rooms = (left: bigint) => ({ ...roomy(), USDT: { ...room(left), isHalfKept: true } })
  expect(await chosen(rooms(299n), { at })).toEqual([])
  expect(await chosen(rooms(300n), { at })).toEqual(['other 50 USDT'])
  expect(await chosen({ ...roomy(), USDT: room(300n) }, { at })).toEqual([])
  expect(await chosen(rooms(900n), { at })).toEqual(['bob 900 USDT'])
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

test('what the contract has refused for a reason of its own is due when it is to be tried again', async () => {
  const later = new Date(now.getTime() + HOUR_MS)
  await add(alice, { try_at: later })
  expect(await dueMember(new Date(later.getTime() - 1))).toBeUndefined()
  expect(await dueMember(later)).toBe(alice.member_id)
})
