import { createDeviceStorage } from './storage.ts'

const forbid = () => {
  throw new Error('forbidden')
}

/** The storage of a browser that forbids it. */
export const forbidden = { getItem: forbid, setItem: forbid, removeItem: forbid }

/** Storage of a page in it. */
export const forbiddenStorage = () => createDeviceStorage(forbidden)
