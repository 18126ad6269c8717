import type { Data } from '@candela/protocol/endpoints'
import { sentPayments } from './buy-power.ts'

/** A payment moves with the blocks; an unpaid order may be paid from elsewhere; the rest changes once a day. */
const CONFIRMING_MS = 3_000
const PENDING_MS = 6_000
/** Whoever has just paid is looking at the screen, and a block takes about a second. */
const ON_ITS_WAY_MS = 1_500

const isOnItsWay = (orderNo: string): boolean => sentPayments.onItsWay(orderNo, Date.now()) !== null

/** How soon to look again at a list of orders, in milliseconds; false while none of them is open. */
export function openOrderPollMs(list: Data<'GET power/orderList'> | undefined): number | false {
  const orders = list?.items ?? []
  if (orders.some(({ state, orderNo }) => state === 'pending' && isOnItsWay(orderNo))) return ON_ITS_WAY_MS
  if (orders.some(({ state }) => state === 'confirming')) return CONFIRMING_MS
  return orders.some(({ state }) => state === 'pending') ? PENDING_MS : false
}
