import { expect, test } from 'vitest'
import { must } from '../../kernel/assert.ts'
import { endSession } from './end-session.ts'
import { findSession } from './find-session.ts'
import { listSessions } from './list-sessions.ts'
import { logIn } from './log-in/log-in.ts'
import { DAY_MS, newAccount, useSignIns } from './testing.ts'

const fixture = useSignIns()

test('devices that were signed out and those whose session has expired are not listed', async () => {
  const account = newAccount()
  const signIn = async (userAgent: string) => {
    const token = await logIn(fixture.deps, await fixture.signedLogin(account, { userAgent }))
    return must(await findSession(fixture.db, token, fixture.clock.now()), 'signed in')
  }
  const listed = async () => {
    const { items } = await listSessions(fixture.db, { ...phone, now: fixture.clock.now() })
    return items.map(({ userAgent }) => userAgent)
  }
  const phone = await signIn('phone')
  fixture.clock.advance(DAY_MS)
  const desktop = await signIn('desktop')
  expect(await listed()).toEqual(['desktop', 'phone'])
  await endSession(fixture.db, desktop.sessionId, fixture.clock.now())
  expect(await listed()).toEqual(['phone'])
  fixture.clock.advance(6 * DAY_MS)
  expect(await listed()).toEqual([])
})
