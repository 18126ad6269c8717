import { expect, test } from 'vitest'
import { must } from '../../kernel/assert.ts'
import { findSession } from './find-session.ts'
import { logIn } from './log-in/log-in.ts'
import { revokeSessions } from './revoke-sessions.ts'
import { DAY_MS, newAccount, useSignIns } from './testing.ts'

const fixture = useSignIns()

test('who has no other device signs none out', async () => {
  const token = await logIn(fixture.deps, await fixture.signedLogin(newAccount()))
  const now = fixture.clock.now()
  const { memberId, sessionId } = must(await findSession(fixture.db, token, now), 'signed in')
  expect(await revokeSessions(fixture.db, { memberId, now, allBut: sessionId })).toBe(0)
  expect(await findSession(fixture.db, token, now)).not.toBeNull()
})

test('a session that has expired is none to sign out', async () => {
  const account = newAccount()
  const token = await logIn(fixture.deps, await fixture.signedLogin(account))
  const { memberId, sessionId } = must(await findSession(fixture.db, token, fixture.clock.now()), 'signed in')
  fixture.clock.advance(7 * DAY_MS)
  const now = fixture.clock.now()
  await expect(revokeSessions(fixture.db, { memberId, now, id: sessionId })).rejects.toMatchObject({ code: 404 })
  await logIn(fixture.deps, await fixture.signedLogin(account))
  expect(await revokeSessions(fixture.db, { memberId, now, allBut: sessionId })).toBe(1)
})
