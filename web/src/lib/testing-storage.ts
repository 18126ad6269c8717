import { createDeviceStorage } from './storage.ts'

const forbid = () => {
  throw new Error('forbidden')
}

/** What a browser has that forbids storage. */
export const forbidden = { getItem: forbid, setItem: forbid, removeItem: forbid }

/** Storage of a page in it. */
export const forbiddenStorage = () => createDeviceStorage(forbidden)
