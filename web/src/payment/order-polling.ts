import type { Data } from '@candela/protocol/endpoints'
import { useEffect, useRef } from 'react'
import { serverNow } from '../api/server-time.ts'
import { invalidateAccount } from '../command/invalidate-account.ts'
import { useApp } from '../session/app-context.tsx'
import { sentPayments } from './payment.ts'
import { hasSettled } from './settled-orders.ts'

/** A payment moves with the blocks; an unpaid order may be paid from elsewhere; the rest changes once a day. */
const CONFIRMING_MS = 3_000
const PENDING_MS = 6_000
/** In milliseconds: a person who has just paid is looking at the screen, and a block takes about a second. */
const SENT_MS = 1_500

type Order = Data<'GET power/orderList'>['items'][number]

/** Tells whoever waits for these payments that the service has seen them on chain. */
export function useSeenPayments(references: readonly string[]): void {
  const sent = sentPayments(useApp())
  const all = references.join(' ')
  useEffect(() => sent.seen(all.split(' ')), [sent, all])
}

/** How soon to ask again for a list of orders, in milliseconds; false while none of them is open. */
export function useOrderPolling(): (orders: readonly Order[]) => number | false {
  const sent = sentPayments(useApp())
  return (orders) => {
    const pending = orders.filter(({ state }) => state === 'pending')
    const now = serverNow()
    if (pending.some(({ orderNo }) => sent.hashOf(orderNo, now) !== null || sent.askedFor(orderNo, now) !== null))
      return SENT_MS
    if (orders.some(({ state }) => state === 'confirming')) return CONFIRMING_MS
    return pending.length > 0 ? PENDING_MS : false
  }
}

/** Has power, balance and public figures read again as soon as one of the orders on screen has been settled. */
export function useSettledOrders(orders: readonly Order[] | undefined): void {
  const before = useRef<readonly Order[]>([])
  useEffect(() => {
    if (orders === undefined) return
    if (hasSettled(before.current, orders)) void invalidateAccount('GET home/public', 'GET home/overview')
    before.current = orders
  }, [orders])
}
