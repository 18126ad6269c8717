import { expect, test } from 'vitest'
import { must } from '../../kernel/assert.ts'
import { findSession } from './find-session.ts'
import { logIn } from './log-in/log-in.ts'
import { revokeSessions } from './revoke-sessions.ts'
import { DAY_MS, newAccount, useSignIns } from './testing.ts'

const world = useSignIns()

test('who has no other device signs none out', async () => {
  const token = await logIn(world.deps, await world.signedLogin(newAccount()))
  const now = world.clock.now()
  const { memberId, sessionId } = must(await findSession(world.db, token, now), 'signed in')
  expect(await revokeSessions(world.db, { memberId, now, allBut: sessionId })).toBe(0)
  expect(await findSession(world.db, token, now)).not.toBeNull()
})

test('a session that has expired is none to sign out', async () => {
  const account = newAccount()
  const token = await logIn(world.deps, await world.signedLogin(account))
  const { memberId, sessionId } = must(await findSession(world.db, token, world.clock.now()), 'signed in')
  world.clock.advance(7 * DAY_MS)
  const now = world.clock.now()
  await expect(revokeSessions(world.db, { memberId, now, id: sessionId })).rejects.toMatchObject({ code: 404 })
  await logIn(world.deps, await world.signedLogin(account))
  expect(await revokeSessions(world.db, { memberId, now, allBut: sessionId })).toBe(1)
})
