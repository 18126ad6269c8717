import { expect, test } from 'vitest'
import { must } from '../../kernel/assert.ts'
import { endSession } from './end-session.ts'
import { findSession } from './find-session.ts'
import { logIn } from './log-in/log-in.ts'
import { transaction } from '../../db/open.ts'
import { sweepSessions } from './sweep.ts'
import { DAY_MS, newAccount, useSignIns } from './testing.ts'

const fixture = useSignIns()

const swept = () => transaction(fixture.db, (tx) => sweepSessions(tx, fixture.clock.now(), 10))

test('a session stays on record for thirty days after it was signed out, although it would have lived for longer', async () => {
  const token = await logIn(fixture.deps, await fixture.signedLogin(newAccount()))
  const { sessionId } = must(await findSession(fixture.db, token, fixture.clock.now()), 'signed in')
  await endSession(fixture.db, sessionId, fixture.clock.now())
  fixture.clock.advance(30 * DAY_MS)
  expect(await swept()).toBe(0)
  fixture.clock.advance(1)
  expect(await swept()).toBe(1)
})

test('a session stays on record for thirty days after it has expired', async () => {
  await logIn(fixture.deps, await fixture.signedLogin(newAccount()))
  fixture.clock.advance(37 * DAY_MS)
  expect(await swept()).toBe(0)
  fixture.clock.advance(1)
  expect(await swept()).toBe(1)
})
