import { REQUEST_ID_LIFE_MS, REQUEST_ID_RANDOM_BYTES, requestIdOf, timeOfRequestId } from '@candela/protocol/request-id'
import { serverNow } from '../api/server-time.ts'
import { type ListItem, readList, writeList } from '../lib/device-records.ts'
import type { DeviceStorage } from '../lib/storage.ts'
import { createStore } from '../lib/store.ts'
import { adoptOlderWishes } from './older-wishes.ts'

/** A command that somebody has asked for and whose outcome is not known: whose, what, and word for word as it was sent. */
export type Wish = ListItem<'wishes'>
export type Wishes = ReturnType<typeof createWishes>

/** Made by the server's time, because the server refuses an id that is old or ahead. */
export const newRequestId = (): string =>
  requestIdOf(serverNow(), crypto.getRandomValues(new Uint8Array(REQUEST_ID_RANDOM_BYTES)))

/**
 * Keeps each wish from before it is sent until its outcome is known, also over a reload and for other tabs. So it has one request id,
 * whatever else moves meanwhile, and the server does it once.
 */
export function createWishes(storage: DeviceStorage, now: () => number = serverNow) {
  adoptOlderWishes(storage)
  const isAlive = ({ requestId }: Wish) => now() - timeOfRequestId(requestId) < REQUEST_ID_LIFE_MS
  const read = () => readList(storage, 'wishes').filter(isAlive)
  const all = createStore<readonly Wish[] | null>(null)
  const show = (wishes: readonly Wish[]): void => all.set(wishes.length === 0 ? null : wishes)
  const write = (wishes: readonly Wish[]): void => {
    writeList(storage, 'wishes', wishes)
    show(wishes)
  }
  show(read())

  return {
    /** Of every account of this device, the newest first; null when there is none. */
    all,
    /** The one of an account and a command: as long as its outcome is not known, nothing new of the kind is sent. */
    find: (account: string, key: string): Wish | undefined =>
      read().find((wish) => wish.account === account.toLowerCase() && wish.key === key),
    keep: (wish: Wish): void => write([{ ...wish, account: wish.account.toLowerCase() }, ...read()]),
    /** Its outcome is known. */
    forget: ({ requestId }: Wish): void => write(read().filter((wish) => wish.requestId !== requestId)),
    /** Another tab may have written. */
    refresh: (): void => show(read()),
  }
}
