import { expect, test } from 'vitest'
import { must } from '../../kernel/assert.ts'
import { endSession } from './end-session.ts'
import { findSession } from './find-session.ts'
import { logIn } from './log-in/log-in.ts'
import { sweepSessions } from './sweep.ts'
import { DAY_MS, newAccount, useSignIns } from './testing.ts'

const world = useSignIns()

const swept = async () => (await sweepSessions(world.db, world.clock.now())).sessions

test('a session stays on record for thirty days after it was signed out, although it would have lived for longer', async () => {
  const token = await logIn(world.deps, await world.signedLogin(newAccount()))
  const { sessionId } = must(await findSession(world.db, token, world.clock.now()), 'signed in')
  await endSession(world.db, sessionId, world.clock.now())
  world.clock.advance(30 * DAY_MS)
  expect(await swept()).toBe(0)
  world.clock.advance(1)
  expect(await swept()).toBe(1)
})

test('a session stays on record for thirty days after it has expired', async () => {
  await logIn(world.deps, await world.signedLogin(newAccount()))
  world.clock.advance(37 * DAY_MS)
  expect(await swept()).toBe(0)
  world.clock.advance(1)
  expect(await swept()).toBe(1)
})
