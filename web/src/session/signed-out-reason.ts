import { createStore } from '../lib/store.ts'
import { attempt, type Shelf } from '../lib/storage.ts'

/**
 * Why nobody is signed in on this device: the person has signed out, the server has ended the session, or the person has
 * left it at too many devices. While there is a reason, no wallet is asked for anything without a tap.
 */
export type Farewell = 'byHand' | 'ended' | 'tooMany'

const KEY = 'signedOut'

export type FarewellStore = ReturnType<typeof createFarewell>

/** Kept over reloads, and apart from the session, which a sign-out empties. Null when nobody has left. */
export function createFarewell(shelf: Shelf) {
  const read = (): Farewell | null => {
    const kept = attempt(() => shelf.getItem(KEY))
    if (kept === null) return null
    return kept === 'ended' || kept === 'tooMany' ? kept : 'byHand'
  }
  const { get, set, subscribe } = createStore(read())
  return {
    get,
    subscribe,
    set(reason: Farewell | null): void {
      set(reason)
      attempt(() => (reason === null ? shelf.removeItem(KEY) : shelf.setItem(KEY, reason)))
    },
    /** Takes over what another tab has kept. */
    reread: () => set(read()),
  }
}
