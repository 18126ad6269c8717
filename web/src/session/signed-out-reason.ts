import type { DeviceStorage } from '../lib/storage.ts'
import { createStore } from '../lib/store.ts'

/**
 * Why nobody is signed in on this device: the person has signed out, the server has ended the session, the person has refused to
 * sign out other devices, the wallet was put on another account, or another account has signed in in another tab. While there is a
 * reason, no wallet is asked for anything without a tap.
 */
const reasons = ['byHand', 'ended', 'tooMany', 'otherAccount', 'otherTab'] as const
export type SignedOutReason = (typeof reasons)[number]

export type SignedOutReasonStore = ReturnType<typeof createSignedOutReason>

/** Kept over reloads, and apart from the session, which a sign-out empties. Null while nobody has signed out. */
export function createSignedOutReason(storage: DeviceStorage) {
  const read = (): SignedOutReason | null => {
    const kept = storage.get('signedOut')
    if (kept === null) return null
    return reasons.find((reason) => reason === kept) ?? 'byHand'
  }
  const { get, set, subscribe } = createStore(read())
  return {
    get,
    subscribe,
    set(reason: SignedOutReason | null): void {
      set(reason)
      storage.set('signedOut', reason)
    },
    /** Sets it for this page alone: another tab is signed in. */
    setHere: set,
    /** Takes over what another tab has kept. */
    reread: () => set(read()),
  }
}
