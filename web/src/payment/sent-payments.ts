import { readList, writeList } from '../lib/device-records.ts'
import type { DeviceStorage } from '../lib/storage.ts'

const MAX_KEPT = 20

/** When a sent payment has not been seen on chain for so long, in milliseconds, another one may be offered. */
export const SENT_TRUSTED_MS = 5 * 60_000

/** Remembers which payments the wallet has just sent, by what they pay for, so that none is offered a second time. */
export function createSentPayments(storage: DeviceStorage) {
  const without = (reference: string) => readList(storage, 'sent').filter((sent) => sent.reference !== reference)
  /** Who waits until the service has seen a payment. */
  const waiting = new Map<string, Set<() => void>>()
  /** Payments whose prompt in the wallet was left without an answer, since this page was loaded. */
  const left = new Set<string>()

  const sentFor = (reference: string, now: number): { hash: string; at: number } | null => {
    const sent = readList(storage, 'sent').find((kept) => kept.reference === reference)
    return sent !== undefined && now - sent.at < SENT_TRUSTED_MS ? sent : null
  }

  return {
    sent(reference: string, hash: string, at: number): void {
      left.delete(reference)
      writeList(storage, 'sent', [{ reference, hash, at }, ...without(reference)].slice(0, MAX_KEPT))
    },
    failed: (reference: string): void => writeList(storage, 'sent', without(reference)),
    sentFor,
    /** Hashes of the payments under references that begin so, sent and not yet known to be on chain; newest first. */
    hashesOf: (beginning: string, now: number): string[] =>
      readList(storage, 'sent')
        .filter(({ reference, at }) => reference.startsWith(beginning) && now - at < SENT_TRUSTED_MS)
        .map(({ hash }) => hash),
    /** The hash of a payment that was sent and not yet seen on chain, as far as this device knows. */
    hashOf: (reference: string, now: number): string | null => sentFor(reference, now)?.hash ?? null,
    /** The person waits for the wallet no longer, and may still confirm there. */
    promptLeft: (reference: string): void => void left.add(reference),
    wasPromptLeft: (reference: string): boolean => left.has(reference),
    /** The service has seen these on chain, by whatever transaction. */
    seen(references: readonly string[]): void {
      for (const reference of references) {
        left.delete(reference)
        for (const go of waiting.get(reference) ?? []) go()
        waiting.delete(reference)
      }
    },
    whenSeen: (reference: string): Promise<void> =>
      new Promise((resolve) => {
        waiting.set(reference, (waiting.get(reference) ?? new Set()).add(resolve))
      }),
  }
}
