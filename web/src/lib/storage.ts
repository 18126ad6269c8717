/**
 * Everything that this device keeps, by its key in local storage, in version 1. `pendingCommands`, `sent`, `asked`, and of older versions `requests`,
 * `transfer` and `exchange` are JSON, whose schemas are in `device-records.ts`; the others are plain texts. Each key stays an entry of its own, because
 * pages of an older version may be open beside this one and go on reading and writing theirs.
 */
export const deviceKeys = [
  'version',
  'token',
  'address',
  'signedOut',
  'invitation',
  'lang',
  'wallet',
  'pendingCommands',
  'requests',
  'sent',
  'asked',
  'transfer',
  'exchange',
  'proofSaved',
  'gateway',
] as const
export type DeviceKey = (typeof deviceKeys)[number]

const VERSION = 1

/** Never throws: what cannot be kept on the device is kept as long as the page, and what cannot be read is null. */
export type DeviceStorage = {
  get(key: DeviceKey): string | null
  /** Null removes the entry. */
  set(key: DeviceKey, value: string | null): void
}

/** As `localStorage`, which a browser may forbid altogether, make read-only, or limit. */
export type RawStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

export function createDeviceStorage(raw: RawStorage): DeviceStorage {
  /** The values that the device would not take, as they are for this page: null when it would not even remove one. */
  const refused = new Map<DeviceKey, string | null>()
  return {
    get: (key) => (refused.has(key) ? (refused.get(key) ?? null) : attempt(() => raw.getItem(key))),
    set(key, value) {
      try {
        if (value === null) raw.removeItem(key)
        else raw.setItem(key, value)
        refused.delete(key)
      } catch {
        refused.set(key, value)
      }
    },
  }
}

/** As long as the page, where nothing else is allowed. */
export const memoryStorage = (memory = new Map<string, string>()): DeviceStorage =>
  createDeviceStorage({
    getItem: (key) => memory.get(key) ?? null,
    setItem: (key, value) => void memory.set(key, value),
    removeItem: (key) => void memory.delete(key),
  })

let opened: DeviceStorage | undefined

/** The storage of this page's device, in the present version. */
export function openStorage(): DeviceStorage {
  const local = attempt(() => window.localStorage)
  opened ??= local === null ? memoryStorage() : migrated(createDeviceStorage(local))
  return opened
}

/** Brings what an older version has kept to the present one. What a newer version has kept is left alone. */
export function migrated(storage: DeviceStorage): DeviceStorage {
  const version = Number(storage.get('version') ?? 0)
  if (version >= VERSION) return storage
  // Before versions were counted, "1" stood for signed out by hand, the only reason there was.
  if (storage.get('signedOut') === '1') storage.set('signedOut', 'byHand')
  storage.set('version', String(VERSION))
  return storage
}

function attempt<T>(act: () => T): T | null {
  try {
    return act()
  } catch {
    return null
  }
}
