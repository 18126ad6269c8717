import { createStore } from '../lib/store.ts'
import type { DeviceStorage } from '../lib/storage.ts'
import { oncePerApp } from '../session/app-context.tsx'

/** The keys of this version and of older ones. */
const keys = ['pendingCommands', 'requests', 'transfer', 'exchange'] as const

/** Without reading it: that needs schemas, which are not part of the first load. */
const holdsAny = (storage: DeviceStorage): true | null =>
  keys.some((key) => !['', '[]', '{}'].includes(storage.get(key) ?? '')) || null

/**
 * Whether this device may hold a command without an answer, whose view is then to be loaded; null where it holds none. `pendingOf` says
 * exactly which once it is loaded.
 */
export const hasPending = oncePerApp(({ storage }) => {
  const store = createStore(holdsAny(storage))
  return { ...store, refresh: () => store.set(holdsAny(storage)) }
})
