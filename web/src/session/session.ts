import { createStore } from '../lib/store.ts'
import type { DeviceStorage } from '../lib/storage.ts'

/** The facts that the app knows of the person using it. Amounts in base units (18 decimals); null while not read yet. */
export type Session = {
  token: string
  address: string
  /** Balance of the account, valued in USDT. */
  currentBalance: bigint | null
  /** The amount that the payment contract may still take from the wallet (the standing USDT allowance). */
  currentAuth: bigint | null
  /** Decimal chain id of the wallet. */
  currentChain: number | null
}

const EMPTY: Session = { token: '', address: '', currentBalance: null, currentAuth: null, currentChain: null }

export type SessionStore = ReturnType<typeof createSession>

/**
 * Address and token are kept on the device; the rest lives as long as the page. Storage that is full or forbidden costs the
 * person a new sign-in after a reload and nothing else.
 */
export function createSession(storage: DeviceStorage, onCleared: () => void) {
  const token = storage.get('token') ?? ''
  const store = createStore<Session>({ ...EMPTY, token, address: token === '' ? '' : (storage.get('address') ?? '') })

  const empty = (): void => {
    // The wallet is still on its chain when the account signs out.
    store.set({ ...EMPTY, currentChain: store.get().currentChain })
    onCleared()
  }

  const clear = (): void => {
    // A sign-in of another tab since then is not this page's to end.
    if (storage.get('token') === store.get().token) {
      storage.set('token', null)
      storage.set('address', null)
    }
    empty()
  }

  return {
    get: store.get,
    subscribe: store.subscribe,
    clear,
    /** Ends it on this page alone, because the device keeps another one by now. */
    leave: empty,
    /** Takes over the session that another tab has kept. */
    adopt(): void {
      const kept = { token: storage.get('token') ?? '', address: storage.get('address') ?? '' }
      if (kept.token !== '') store.set({ ...store.get(), ...kept })
    },
    /** Stores a fresh login. An empty token is a sign-out. */
    signedIn(address: string, newToken: string): void {
      if (newToken === '') return clear()
      storage.set('address', address)
      storage.set('token', newToken)
      store.set({ ...store.get(), address, token: newToken })
    },
    setToken(newToken: string): void {
      if (newToken === '') return clear()
      storage.set('token', newToken)
      store.set({ ...store.get(), token: newToken })
    },
    update(figures: Partial<Pick<Session, 'currentBalance' | 'currentAuth' | 'currentChain'>>): void {
      store.set({ ...store.get(), ...figures })
    },
  }
}
