import { expect, test } from 'vitest'
import { must } from '../../kernel/assert.ts'
import { endSession } from './end-session.ts'
import { findSession } from './find-session.ts'
import { logIn } from './log-in/log-in.ts'
import { MINUTE_MS, newAccount, useSignIns } from './testing.ts'

const fixture = useSignIns()

test('signing out ends this session only, and once', async () => {
  const account = newAccount()
  const [token, other] = [
    await logIn(fixture.deps, await fixture.signedLogin(account)),
    await logIn(fixture.deps, await fixture.signedLogin(account)),
  ]
  const now = fixture.clock.now()
  const { sessionId } = must(await findSession(fixture.db, token, now), 'signed in')
  await endSession(fixture.db, sessionId, now)
  expect(await findSession(fixture.db, token, now)).toBeNull()
  expect(await findSession(fixture.db, other, now)).not.toBeNull()

  fixture.clock.advance(MINUTE_MS)
  await endSession(fixture.db, sessionId, fixture.clock.now())
  const row = fixture.db.selectFrom('session').select('ended_at').where('id', '=', sessionId)
  expect((await row.executeTakeFirstOrThrow()).ended_at).toEqual(now)
})
