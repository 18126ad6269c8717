import type { DeviceStorage } from '../lib/storage.ts'
import type { SessionStore } from './session.ts'
import type { SignedOutReasonStore } from './signed-out-reason.ts'

type Deps = {
  storage: DeviceStorage
  session: Pick<SessionStore, 'get' | 'clear' | 'leave' | 'adopt'>
  signedOutReason: Pick<SignedOutReasonStore, 'reread' | 'setHere'>
  /** Tells the server that the session of this page is over. */
  endSession(): void
}

/**
 * Follows what other tabs do with the one session that a device keeps: a sign-out ends it here too, a sign-in is taken over, and
 * one with another account ends this page's session and says so.
 */
export function followTabs(page: Pick<Window, 'addEventListener'>, deps: Deps): void {
  const { storage, session, signedOutReason } = deps
  page.addEventListener('storage', ({ key }) => {
    if (key !== 'token') return
    const kept = storage.get('token') ?? ''
    const { token, address } = session.get()
    if (kept === token) return
    if (kept === '') {
      signedOutReason.reread()
      session.clear()
      return
    }
    if (token !== '' && storage.get('address')?.toLowerCase() !== address.toLowerCase()) {
      deps.endSession()
      signedOutReason.setHere('otherTab')
      session.leave()
      return
    }
    signedOutReason.reread()
    session.adopt()
  })
}
