import type { DeviceStorage } from './storage.ts'

const forbid = () => {
  throw new Error('forbidden')
}

/** Storage as a browser has it that forbids it. */
export const forbiddenStorage: DeviceStorage = { getItem: forbid, setItem: forbid, removeItem: forbid }
