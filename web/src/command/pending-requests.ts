import { attempt, type DeviceStorage } from '../lib/storage.ts'

type Kept = { what: string; requestId: string; at: number }

const KEY = 'requests'
const MAX_KEPT = 40

/** A request without an answer is asked again under its id for this long, in milliseconds; then it is a new one. */
export const ASKED_AGAIN_MS = 15 * 60_000

/**
 * Remembers under which id something was asked for, from before it is sent until it is answered. So a lost answer can
 * be asked for again, also after a reload, and the server does it once.
 */
export function createPendingRequests(storage: DeviceStorage, makeId: () => string, now: () => number) {
  const read = (): Kept[] => {
    const kept: unknown = attempt(() => JSON.parse(storage.getItem(KEY) ?? '[]') as unknown)
    return Array.isArray(kept) ? (kept as Kept[]).filter(({ at }) => now() - at < ASKED_AGAIN_MS) : []
  }
  // Without storage a retry within this page is still a retry as long as the caller holds its id.
  const write = (kept: Kept[]) => void attempt(() => storage.setItem(KEY, JSON.stringify(kept.slice(0, MAX_KEPT))))

  return {
    /** The id to send for a input: that of the same input of before while it has no answer. */
    idFor(what: string): string {
      const known = read().find((kept) => kept.what === what)
      if (known !== undefined) return known.requestId
      const requestId = makeId()
      write([{ what, requestId, at: now() }, ...read()])
      return requestId
    },
    /** It is known what became of it: the same input is a new request next time. */
    answered: (what: string): void => write(read().filter((kept) => kept.what !== what)),
  }
}

/** 128 random bits; `crypto.randomUUID` is missing where a page is not served over TLS. */
export const randomId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
