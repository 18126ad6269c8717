import { expect, test } from 'vitest'
import { must } from '../../kernel/assert.ts'
import { endSession } from './end-session.ts'
import { findSession } from './find-session.ts'
import { logIn } from './log-in/log-in.ts'
import { MINUTE_MS, newAccount, useSignIns } from './testing.ts'

const world = useSignIns()

test('signing out ends this session only, and once', async () => {
  const account = newAccount()
  const [token, other] = [
    await logIn(world.deps, await world.signedLogin(account)),
    await logIn(world.deps, await world.signedLogin(account)),
  ]
  const now = world.clock.now()
  const { sessionId } = must(await findSession(world.db, token, now), 'signed in')
  await endSession(world.db, sessionId, now)
  expect(await findSession(world.db, token, now)).toBeNull()
  expect(await findSession(world.db, other, now)).not.toBeNull()

  world.clock.advance(MINUTE_MS)
  await endSession(world.db, sessionId, world.clock.now())
  const row = world.db.selectFrom('session').select('ended_at').where('id', '=', sessionId)
  expect((await row.executeTakeFirstOrThrow()).ended_at).toEqual(now)
})
