import { attempt, type DeviceStorage } from '../lib/storage.ts'

type Sent = { reference: string; hash: string; at: number }

const KEY = 'sent'
const MAX_KEPT = 20

/** After this long without a trace on chain, in milliseconds, a sent payment no longer stands in the way of another. */
export const SENT_TRUSTED_MS = 5 * 60_000

/** Remembers which payments the wallet has just sent, by what they pay for, so that none is offered a second time. */
export function createSentPayments(storage: DeviceStorage) {
  const read = (): Sent[] => {
    const kept: unknown = attempt(() => JSON.parse(storage.getItem(KEY) ?? '[]') as unknown)
    return Array.isArray(kept) ? (kept as Sent[]) : []
  }
  const without = (reference: string) => read().filter((sent) => sent.reference !== reference)
  const write = (sent: Sent[]) => void attempt(() => storage.setItem(KEY, JSON.stringify(sent.slice(0, MAX_KEPT))))

  return {
    sent: (reference: string, hash: string, at: number): void =>
      write([{ reference, hash, at }, ...without(reference)]),
    failed: (reference: string): void => write(without(reference)),
    /** The hash of a payment that is on its way, as far as this device knows. */
    onItsWay(reference: string, now: number): string | null {
      const sent = read().find((kept) => kept.reference === reference)
      return sent !== undefined && now - sent.at < SENT_TRUSTED_MS ? sent.hash : null
    },
  }
}
