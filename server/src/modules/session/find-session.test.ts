import { expect, test } from 'vitest'
import { transaction } from '../../db/open.ts'
import { lockWaits } from '@candela/testing/postgres/test-database'
import { must } from '../../kernel/assert.ts'
import { findSession, type FoundSession, sessionFinder } from './find-session.ts'
import { logIn } from './log-in/log-in.ts'
import { DAY_MS, MINUTE_MS, newAccount, useSignIns } from './testing.ts'

const fixture = useSignIns()

const signIn = async () => logIn(fixture.deps, await fixture.signedLogin(newAccount()))
const find = async (token: string) => must(await findSession(fixture.db, token, fixture.clock.now()), 'signed in')
/** Without the end of the log, which others move. */
const whose = (found: FoundSession | null) => found && { memberId: found.memberId, sessionId: found.sessionId }
const rowOf = (id: string) =>
  fixture.db.selectFrom('session').select(['seen_at', 'expires_at']).where('id', '=', id).executeTakeFirstOrThrow()

test('whoever asks together gets each their own session, and nobody’s token gets none', async () => {
  const tokens = [await signIn(), await signIn(), await signIn()]
  const own = await Promise.all(tokens.map(find))
  expect(new Set(own.map(({ memberId }) => memberId)).size).toBe(3)
  const findTogether = sessionFinder(fixture.db)
  const [one = '', two = '', three = ''] = tokens
  const asked = [two, 'nobody’s', three, one, two]
  const found = await Promise.all(asked.map((token) => findTogether(token, fixture.clock.now())))
  expect(found.map(whose)).toEqual([own[1] ?? null, null, own[2] ?? null, own[0] ?? null, own[1] ?? null].map(whose))
})

test('a session is over at the very end of its time', async () => {
  const token = await signIn()
  fixture.clock.advance(7 * DAY_MS - 1)
  const { sessionId } = must(
    await findSession(fixture.db, token, new Date(fixture.clock.now().getTime())),
    'still live',
  )
  const { expires_at } = await rowOf(sessionId)
  expect(await findSession(fixture.db, token, new Date(expires_at.getTime() - 1))).not.toBeNull()
  expect(await findSession(fixture.db, token, (await rowOf(sessionId)).expires_at)).toBeNull()
})

test('only the session that is used is prolonged', async () => {
  const [used, unused] = [await signIn(), await signIn()]
  const [{ sessionId: usedId }, { sessionId: unusedId }] = [await find(used), await find(unused)]
  const before = await rowOf(unusedId)
  fixture.clock.advance(5 * MINUTE_MS)
  await find(used)
  expect((await rowOf(usedId)).seen_at).toEqual(fixture.clock.now())
  expect(await rowOf(unusedId)).toEqual(before)
})

test('a session that ends while it is being prolonged stays as it was', async () => {
  const token = await signIn()
  const { sessionId } = await find(token)
  const before = await rowOf(sessionId)
  fixture.clock.advance(5 * MINUTE_MS)
  let finding: Promise<unknown> = Promise.resolve()
  await transaction(fixture.db, async (tx) => {
    await tx.updateTable('session').set({ ended_at: fixture.clock.now() }).where('id', '=', sessionId).execute()
    // It was live when it was asked for; writing has to wait for this transaction.
    finding = findSession(fixture.db, token, fixture.clock.now())
    await expect.poll(async () => (await lockWaits(fixture.db)) > 0).toBe(true)
  })
  await finding
  expect(await rowOf(sessionId)).toEqual(before)
})
