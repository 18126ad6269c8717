import type { Data } from '@candela/protocol/endpoints'
import { useApp } from '../session/app-context.tsx'
import { sentPayments } from './payment.ts'

/** A payment moves with the blocks; an unpaid order may be paid from elsewhere; the rest changes once a day. */
const CONFIRMING_MS = 3_000
const PENDING_MS = 6_000
/** In milliseconds: a person who has just paid is looking at the screen, and a block takes about a second. */
const SENT_MS = 1_500

type Order = Data<'GET power/orderList'>['items'][number]

/** How soon to ask again for a list of orders, in milliseconds; false while none of them is open. */
export function useOrderPolling(): (orders: readonly Order[]) => number | false {
  const sent = sentPayments(useApp())
  return (orders) => {
    const pending = orders.filter(({ state }) => state === 'pending')
    if (pending.some(({ orderNo }) => sent.hashOf(orderNo, Date.now()) !== null)) return SENT_MS
    if (orders.some(({ state }) => state === 'confirming')) return CONFIRMING_MS
    return pending.length > 0 ? PENDING_MS : false
  }
}
