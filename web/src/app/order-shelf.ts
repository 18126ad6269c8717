import type { CallInput } from '@candela/protocol/endpoints'
import type { Shelf } from './session.ts'

export type OrderInput = CallInput<'POST power/getOrder'>
export type OrderWish = Omit<OrderInput, 'requestId'>

/** One order as this device knows it. */
type Kept = {
  input: OrderInput
  /** Null while the answer to the request has not arrived. */
  orderNo: string | null
  /** A payment that the wallet has sent; null while none is on its way. */
  sent: { hash: string; at: number } | null
}

const KEY = 'orders'
const KEPT = 40

/** After this long without a trace on chain, in milliseconds, a sent payment no longer stands in the way of another. */
export const SENT_TRUSTED_MS = 5 * 60_000

/**
 * Remembers what was asked for, under the request id that was made for it before it was sent. So a lost answer can be
 * asked for again without a second order, an order can be paid later, and one that was just paid is not paid twice.
 */
export function createOrderShelf(shelf: Shelf, makeId: () => string) {
  const read = (): Kept[] => {
    try {
      const kept: unknown = JSON.parse(shelf.getItem(KEY) ?? '[]')
      return Array.isArray(kept) ? (kept as Kept[]) : []
    } catch {
      return []
    }
  }
  const write = (orders: Kept[]) => {
    try {
      shelf.setItem(KEY, JSON.stringify(orders.slice(0, KEPT)))
    } catch {
      // Without storage an order can still be paid right away, only not later from this list.
    }
  }
  const change = (fits: (kept: Kept) => boolean, next: (kept: Kept) => Kept) =>
    write(read().map((kept) => (fits(kept) ? next(kept) : kept)))

  return {
    /** The input to send for a wish: the unanswered one of before where it is the same, so that a retry is a retry. */
    draft(wish: OrderWish): OrderInput {
      const open = read().find(({ input, orderNo }) => orderNo === null && sameWish(input, wish))
      if (open !== undefined) return open.input
      const input = { ...wish, requestId: makeId() }
      write([{ input, orderNo: null, sent: null }, ...read()])
      return input
    },
    answered: (requestId: string, orderNo: string): void =>
      change(
        ({ input }) => input.requestId === requestId,
        (kept) => ({ ...kept, orderNo }),
      ),
    /** The server refused: the same wish is a new request next time. */
    refused: (requestId: string): void => write(read().filter(({ input }) => input.requestId !== requestId)),
    inputOf: (orderNo: string): OrderInput | null => read().find((kept) => kept.orderNo === orderNo)?.input ?? null,
    paymentSent: (orderNo: string, hash: string, at: number): void =>
      change(
        (kept) => kept.orderNo === orderNo,
        (kept) => ({ ...kept, sent: { hash, at } }),
      ),
    paymentFailed: (orderNo: string): void =>
      change(
        (kept) => kept.orderNo === orderNo,
        (kept) => ({ ...kept, sent: null }),
      ),
    /** The hash of a payment that is on its way, as far as this device knows. */
    onItsWay(orderNo: string, now: number): string | null {
      const sent = read().find((kept) => kept.orderNo === orderNo)?.sent
      return sent && now - sent.at < SENT_TRUSTED_MS ? sent.hash : null
    },
  }
}

const sameWish = (a: OrderWish, b: OrderWish): boolean =>
  a.planId === b.planId && a.units === b.units && a.asset === b.asset && a.maxPayable === b.maxPayable

/** 128 random bits; `crypto.randomUUID` is missing where a page is not served over TLS. */
export const randomId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
