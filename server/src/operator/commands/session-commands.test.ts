import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'
import { fakeClock } from '../../kernel/clock.ts'
import { findSession } from '../../modules/session/find-session.ts'
import { addSession } from '../../modules/session/testing.ts'
import { startOperators, type TestOperators } from '../testing-operators.ts'

let database: TestDatabase
let operators: TestOperators
beforeAll(async () => {
  database = await createTestDatabase()
  operators = await startOperators(database.url, clock)
})
afterAll(() => database.drop())

const clock = fakeClock('2026-03-01T12:00:00Z')

const candela = (...line: string[]) => operators.give('ada', ...line)

/** A member, signed in on two devices. */
async function addSignedIn(digit: string): Promise<{ uid: bigint; tokens: string[] }> {
  const { db } = database
  const now = clock.now()
  const member = await db
    .insertInto('member')
    .values({ address: `0x${digit.repeat(40)}`, inviter_id: null, invitation_code: `MEMBER${digit}`, joined_at: now })
    .returning(['id', 'uid'])
    .executeTakeFirstOrThrow()
  const tokens = [await addSession(db, member.id, now), await addSession(db, member.id, now)]
  return { uid: member.uid, tokens }
}

const areIn = (tokens: string[]) =>
  Promise.all(tokens.map(async (token) => (await findSession(database.db, token, clock.now())) !== null))

test('the operator signs out a member, or everybody, at once, and it is written down', async () => {
  const [one, two] = [await addSignedIn('1'), await addSignedIn('2')]
  expect(await candela('session', 'end', '--of', `member:${one.uid}`)).toEqual({ of: `member:${one.uid}`, ended: 2 })
  expect(await areIn([...one.tokens, ...two.tokens])).toEqual([false, false, true, true])
  expect(await candela('session', 'end', '--of', 'everybody')).toEqual({ of: 'everybody', ended: 2 })
  expect(await areIn(two.tokens)).toEqual([false, false])
  await expect(candela('session', 'end', '--of', 'member:99999')).rejects.toThrow('no member with the UID')
  await expect(candela('session', 'end', '--of', 'all')).rejects.toThrow('member:<uid>, or everybody')
  const rows = await database.db
    .selectFrom('operator_audit')
    .select(['operator', 'command', 'input'])
    .where('command', '=', 'session end')
    .orderBy('id')
    .execute()
  expect(rows).toEqual([
    { operator: 'ada', command: 'session end', input: { of: `member:${one.uid}` } },
    { operator: 'ada', command: 'session end', input: { of: 'everybody' } },
  ])
})
