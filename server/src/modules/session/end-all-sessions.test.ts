import { expect, test } from 'vitest'
import { transaction } from '../../db/open.ts'
import { must } from '../../kernel/assert.ts'
import { endAllSessions } from './end-all-sessions.ts'
import { endSession } from './end-session.ts'
import { findSession } from './find-session.ts'
import { logIn } from './log-in/log-in.ts'
import { lower, newAccount, useSignIns } from './testing.ts'

const fixture = useSignIns()

const end = (of: Parameters<typeof endAllSessions>[1]) =>
  transaction(fixture.db, (tx) => endAllSessions(tx, of, fixture.clock.now()))

test('ends the live sessions of one member or of everybody, and says how many', async () => {
  const [account, stranger] = [newAccount(), newAccount()]
  const tokens: string[] = []
  for (const who of [account, account, account, stranger]) {
    tokens.push(await logIn(fixture.deps, await fixture.signedLogin(who)))
  }
  const isLive = async (nth: number) => (await findSession(fixture.db, tokens[nth] ?? '', fixture.clock.now())) !== null
  const { sessionId } = must(await findSession(fixture.db, tokens[0] ?? '', fixture.clock.now()), 'signed in')
  await endSession(fixture.db, sessionId, fixture.clock.now())
  const { uid } = await fixture.db
    .selectFrom('member')
    .select('uid')
    .where('address', '=', lower(account))
    .executeTakeFirstOrThrow()

  expect(await end({ uid: uid + 1_000n })).toBeUndefined()
  expect(await end({ uid })).toBe(2)
  expect([await isLive(1), await isLive(2), await isLive(3)]).toEqual([false, false, true])
  expect(await end('everybody')).toBe(1)
  expect(await isLive(3)).toBe(false)
  expect(await end('everybody')).toBe(0)
})
