import type { Data } from '@candela/protocol/endpoints'

type State = Pick<Data<'GET power/orderList'>['items'][number], 'orderNo' | 'state'>

/** Whether a payment of one of these orders has found its end since `before`: as power, or on the balance. */
export function hasSettled(before: readonly State[], now: readonly State[]): boolean {
  const confirming = new Set(before.filter(({ state }) => state === 'confirming').map(({ orderNo }) => orderNo))
  const pending = new Set(before.filter(({ state }) => state === 'pending').map(({ orderNo }) => orderNo))
  return now.some(
    ({ orderNo, state }) =>
      (confirming.has(orderNo) && state !== 'confirming' && state !== 'pending') ||
      // Between two looks a payment may have come and been confirmed.
      (pending.has(orderNo) && state !== 'pending' && state !== 'confirming' && state !== 'cancelled'),
  )
}
