import { createStore } from '../lib/store.ts'
import type { DeviceStorage } from '../lib/storage.ts'

/** More than any code has, so that what is wrong with a longer one can still be said, and no link fills the device. */
const MAX_LENGTH = 64

export type InvitationCode = ReturnType<typeof createInvitationCode>

/**
 * The invitation code of the last link that had one, empty without. It is kept on the device, apart from the address bar and
 * the session, until somebody has signed in with it: navigation, the guard, a reload and a change of the wallet's account
 * each take it out of the address.
 */
export function createInvitationCode(storage: DeviceStorage) {
  const store = createStore(storage.get('invitation') ?? '')
  const keep = (code: string): void => {
    store.set(code)
    storage.set('invitation', code === '' ? null : code)
  }
  return {
    get: store.get,
    subscribe: store.subscribe,
    /** Takes the code of a link, without what a sentence or a counter of clicks has put behind it. A place without one changes nothing. */
    arrived(code: string | null | undefined): void {
      const plain = (code ?? '')
        .slice(0, MAX_LENGTH)
        .normalize('NFKC')
        .replaceAll(/\p{Cf}/gu, '')
      const [text = ''] = /[A-Za-z0-9](?:[^?&#]*[A-Za-z0-9])?/.exec(plain) ?? []
      if (text !== '') keep(text)
    },
    /** Somebody has signed in with this code. @returns whether it was the link's */
    used(code: string): boolean {
      if (store.get() === '' || code.trim().toUpperCase() !== store.get().toUpperCase()) return false
      keep('')
      return true
    },
  }
}
