import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'
import { type Party, partyFinder } from './find-parties.ts'

let own: TestDatabase
let members: Party[]
beforeAll(async () => {
  own = await createTestDatabase()
  members = await own.db
    .insertInto('member')
    .values(
      Array.from({ length: 4 }, (_, at) => ({
        address: `0x${String(at).padStart(40, '0')}`,
        inviter_id: null,
        invitation_code: `PARTY${at}`,
        joined_at: new Date('2026-03-01T00:00:00Z'),
      })),
    )
    .returning(['id', 'uid', 'address'])
    .execute()
    .then((rows) => rows as Party[])
})
afterAll(() => own.drop())

const member = (at: number): Party => {
  const found = members[at]
  if (found === undefined) throw new Error(`no member ${at}`)
  return found
}

const now = new Date('2026-03-02T00:00:00Z')

test('finds sender and recipient by address and by UID, also from memory', async () => {
  const parties = partyFinder(own.db)
  const [sender, recipient] = [member(0), member(1)]
  for (const to of [recipient.address, recipient.uid.toString(), recipient.address]) {
    expect(await parties.find({ memberId: sender.id, to, now })).toEqual({ sender, recipient })
  }
  expect(await parties.find({ memberId: sender.id, to: sender.address, now })).toEqual({ sender, recipient: sender })
})

test('says 4205 when nobody has it, and finds them once they have joined', async () => {
  const parties = partyFinder(own.db)
  const address = `0x${'9'.repeat(40)}`
  await expect(parties.find({ memberId: member(0).id, to: address, now })).rejects.toMatchObject({ code: 4205 })
  await own.db
    .insertInto('member')
    .values({ address, inviter_id: null, invitation_code: 'PARTY9', joined_at: new Date('2026-03-01T00:00:00Z') })
    .execute()
  expect((await parties.find({ memberId: member(0).id, to: address, now })).recipient.address).toBe(address)
})

test('a memory that fills between sender and recipient, or while another call reads, loses neither', async () => {
  // There is room for one member only, so every member that is remembered pushes out the one before.
  const parties = partyFinder(own.db, 1)
  const pairs = members.flatMap((sender) => members.map((recipient) => ({ sender, recipient })))
  for (const { sender, recipient } of pairs) {
    expect(await parties.find({ memberId: sender.id, to: recipient.address, now })).toEqual({ sender, recipient })
  }
  const atOnce = pairs.map(({ sender, recipient }) =>
    parties.find({ memberId: sender.id, to: recipient.uid.toString(), now }),
  )
  expect(await Promise.all(atOnce)).toEqual(pairs)
})

test('an account that may go again is found until it goes, and is not remembered', async () => {
  const address = `0x${'8'.repeat(40)}`
  const leaves_at = new Date('2026-03-02T12:00:00Z')
  const row = { address, inviter_id: null, invitation_code: 'PARTY8', joined_at: now, leaves_at }
  await own.db.insertInto('member').values(row).execute()
  const parties = partyFinder(own.db)
  const ask = (at: Date) => parties.find({ memberId: member(0).id, to: address, now: at })
  expect((await ask(now)).recipient.address).toBe(address)
  await expect(ask(leaves_at)).rejects.toMatchObject({ code: 4205 })
  // A member that stays is found from then on.
  await own.db.updateTable('member').set({ leaves_at: null }).where('address', '=', address).execute()
  expect((await ask(leaves_at)).recipient.address).toBe(address)
})
