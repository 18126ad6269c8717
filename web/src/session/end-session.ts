import { call } from '../api/call.ts'
import type { SessionStore } from './session.ts'

/**
 * Ends the session at the server, so that its token is worth nothing to anyone. Never fails: where the server cannot be
 * reached, the session expires by itself. The token is read at once, so the caller may clear the session right after.
 */
export async function endSession(session: Pick<SessionStore, 'get'>): Promise<void> {
  if (session.get().token === '') return
  await call('POST auth/logout', {}, { transportInPlace: true, handled: [401] }).catch(() => undefined)
}
