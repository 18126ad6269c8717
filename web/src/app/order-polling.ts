import type { Data } from '@candela/protocol/endpoints'

/** A payment moves with the blocks; an unpaid order may be paid from elsewhere; the rest changes once a day. */
const CONFIRMING_MS = 3_000
const PENDING_MS = 6_000

/** How soon to look again at a list of orders, in milliseconds; false while none of them is open. */
export function openOrderPollMs(list: Data<'GET power/orderList'> | undefined): number | false {
  const states = new Set(list?.items.map(({ state }) => state))
  if (states.has('confirming')) return CONFIRMING_MS
  return states.has('pending') ? PENDING_MS : false
}
