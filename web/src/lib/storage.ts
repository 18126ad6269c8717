/** Where this device keeps what it must not forget, as localStorage does. */
export type DeviceStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** The browser's storage. It may be forbidden altogether; then a page-long memory has to do. */
export const openStorage = (): DeviceStorage => attempt(() => window.localStorage) ?? memoryStorage()

export const memoryStorage = (memory = new Map<string, string>()): DeviceStorage => ({
  getItem: (key) => memory.get(key) ?? null,
  setItem: (key, value) => void memory.set(key, value),
  removeItem: (key) => void memory.delete(key),
})

/** Null where storage throws: in private mode, full, or forbidden. */
export function attempt<T>(act: () => T): T | null {
  try {
    return act()
  } catch {
    return null
  }
}
