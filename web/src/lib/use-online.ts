import { useSyncExternalStore } from 'react'

const subscribe = (listener: () => void) => {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

/** Whether the device reports a connection. True does not prove one; false is certain. */
export const useOnline = (): boolean => useSyncExternalStore(subscribe, () => navigator.onLine)
