import { createDeviceStorage } from './storage.ts'

const forbid = () => {
  throw new Error('forbidden')
}

/** Storage of a browser that forbids it. */
export const forbiddenStorage = createDeviceStorage({ getItem: forbid, setItem: forbid, removeItem: forbid })
