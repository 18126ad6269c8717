import type { Shelf } from './storage.ts'

const forbid = () => {
  throw new Error('forbidden')
}

/** Storage as a browser has it that forbids it. */
export const forbiddenShelf: Shelf = { getItem: forbid, setItem: forbid, removeItem: forbid }
