import { createStore } from '../lib/store.ts'
import { attempt, type DeviceStorage } from '../lib/storage.ts'

/**
 * Why nobody is signed in on this device: the person has signed out, the server has ended the session, or the person has
 * left it at too many devices. While there is a reason, no wallet is asked for anything without a tap.
 */
export type SignedOutReason = 'byHand' | 'ended' | 'tooMany'

const KEY = 'signedOut'

export type SignedOutReasonStore = ReturnType<typeof createSignedOutReason>

/** Kept over reloads, and apart from the session, which a sign-out empties. Null when nobody has left. */
export function createSignedOutReason(storage: DeviceStorage) {
  const read = (): SignedOutReason | null => {
    const kept = attempt(() => storage.getItem(KEY))
    if (kept === null) return null
    return kept === 'ended' || kept === 'tooMany' ? kept : 'byHand'
  }
  const { get, set, subscribe } = createStore(read())
  return {
    get,
    subscribe,
    set(reason: SignedOutReason | null): void {
      set(reason)
      attempt(() => (reason === null ? storage.removeItem(KEY) : storage.setItem(KEY, reason)))
    },
    /** Takes over what another tab has kept. */
    reread: () => set(read()),
  }
}
