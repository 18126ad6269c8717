import { readList, writeList } from '../../lib/device-records.ts'
import type { DeviceStorage } from '../../lib/storage.ts'

const MAX_KEPT = 20

/** When a sent payment has not been seen on chain for so long, in milliseconds, another one may be offered. */
export const SENT_TRUSTED_MS = 5 * 60_000

/** For so long, in milliseconds, it is kept that a payment was asked for: an order is watched as long after its time to pay. */
export const ASKED_KEPT_MS = 24 * 60 * 60_000

/** That a wallet was asked for a payment. `nonce`: how many transactions its account had sent by then, null where that is unknown. */
export type AskedPayment = { reference: string; at: number; nonce: number | null }

/**
 * Remembers which payments the wallet was asked for and which it has just sent, by what they pay for, so that none is offered a second
 * time without a word.
 */
export function createSentPayments(storage: DeviceStorage) {
  const without = (reference: string) => readList(storage, 'sent').filter((sent) => sent.reference !== reference)
  /** The callers that wait until the service has seen a payment. */
  const waiting = new Map<string, Set<() => void>>()
  /** Payments that this page is waiting for. */
  const live = new Set<string>()
  const askedBut = (reference: string) => readList(storage, 'asked').filter((asked) => asked.reference !== reference)
  const forget = (reference: string) => writeList(storage, 'asked', askedBut(reference))

  /** Finds the payment of a reference; of one that ends with a colon the newest that begins so. */
  const askedFor = (wanted: string, now: number): AskedPayment | null =>
    readList(storage, 'asked').find(
      ({ reference, at }) =>
        (reference === wanted || (wanted.endsWith(':') && reference.startsWith(wanted))) && now - at < ASKED_KEPT_MS,
    ) ?? null

  const sentFor = (reference: string, now: number): { hash: string; at: number } | null => {
    const sent = readList(storage, 'sent').find((kept) => kept.reference === reference)
    return sent !== undefined && now - sent.at < SENT_TRUSTED_MS ? sent : null
  }

  return {
    sent(reference: string, hash: string, at: number): void {
      writeList(storage, 'sent', [{ reference, hash, at }, ...without(reference)].slice(0, MAX_KEPT))
    },
    failed: (reference: string): void => writeList(storage, 'sent', without(reference)),
    asked: (asked: AskedPayment): void =>
      writeList(storage, 'asked', [asked, ...askedBut(asked.reference)].slice(0, MAX_KEPT)),
    askedFor,
    /** Nothing can come of having asked for it. */
    forget,
    /** This page waits for the payment itself. @returns what ends that */
    waitFor(reference: string): () => void {
      live.add(reference)
      return () => void live.delete(reference)
    },
    /** Whether the wallet was asked for it and may still be about to pay it, though this page waits for it no longer. */
    mayBeOpen: (reference: string, now: number): boolean => !live.has(reference) && askedFor(reference, now) !== null,
    sentFor,
    /** Hashes of the payments under references that begin so, sent and not yet known to be on chain; newest first. */
    hashesOf: (beginning: string, now: number): string[] =>
      readList(storage, 'sent')
        .filter(({ reference, at }) => reference.startsWith(beginning) && now - at < SENT_TRUSTED_MS)
        .map(({ hash }) => hash),
    /** The hash of a payment that was sent and not yet seen on chain, as far as this device knows. */
    hashOf: (reference: string, now: number): string | null => sentFor(reference, now)?.hash ?? null,
    /** The service has seen these on chain, by whatever transaction. */
    seen(references: readonly string[]): void {
      for (const reference of references) {
        if (askedFor(reference, 0) !== null) forget(reference)
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
