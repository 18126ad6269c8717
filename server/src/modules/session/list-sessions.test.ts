import { expect, test } from 'vitest'
import { must } from '../../kernel/assert.ts'
import { endSession } from './end-session.ts'
import { findSession } from './find-session.ts'
import { listSessions } from './list-sessions.ts'
import { logIn } from './log-in/log-in.ts'
import { DAY_MS, newAccount, useSignIns } from './testing.ts'

const world = useSignIns()

test('devices that were signed out and those whose session has expired are not listed', async () => {
  const account = newAccount()
  const signIn = async (userAgent: string) => {
    const token = await logIn(world.deps, await world.signedLogin(account, { userAgent }))
    return must(await findSession(world.db, token, world.clock.now()), 'signed in')
  }
  const listed = async () => {
    const { items } = await listSessions(world.db, { ...phone, now: world.clock.now() })
    return items.map(({ userAgent }) => userAgent)
  }
  const phone = await signIn('phone')
  world.clock.advance(DAY_MS)
  const desktop = await signIn('desktop')
  expect(await listed()).toEqual(['desktop', 'phone'])
  await endSession(world.db, desktop.sessionId, world.clock.now())
  expect(await listed()).toEqual(['phone'])
  world.clock.advance(6 * DAY_MS)
  expect(await listed()).toEqual([])
})
