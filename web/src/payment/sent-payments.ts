import { readList, writeList } from '../lib/device-records.ts'
import type { DeviceStorage } from '../lib/storage.ts'

const MAX_KEPT = 20

/** When a sent payment has not been seen on chain for so long, in milliseconds, another one may be offered. */
export const SENT_TRUSTED_MS = 5 * 60_000

/** Remembers which payments the wallet has just sent, by what they pay for, so that none is offered a second time. */
export function createSentPayments(storage: DeviceStorage) {
  const without = (reference: string) => readList(storage, 'sent').filter((sent) => sent.reference !== reference)

  return {
    sent: (reference: string, hash: string, at: number): void =>
      writeList(storage, 'sent', [{ reference, hash, at }, ...without(reference)].slice(0, MAX_KEPT)),
    failed: (reference: string): void => writeList(storage, 'sent', without(reference)),
    /** The hash of a payment that was sent and not yet seen on chain, as far as this device knows. */
    hashOf(reference: string, now: number): string | null {
      const sent = readList(storage, 'sent').find((kept) => kept.reference === reference)
      return sent !== undefined && now - sent.at < SENT_TRUSTED_MS ? sent.hash : null
    },
  }
}
