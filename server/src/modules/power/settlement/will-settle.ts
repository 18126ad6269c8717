import { sql } from 'kysely'

/**
 * SQL condition: the recorded payment `e` will settle order `o` of member `m` when it is deep enough, one way or
 * another, if the order is open by then. The same rule as in `decide-purchases.ts`, for those who must know before.
 */
export const willSettle = sql<boolean>`(
  e.action = 'buyPower' and e.reference = o.order_no and e.state = 'recorded' and e.block_at <= o.watch_until
  and (e.payer = m.address or (e.asset = o.asset and e.amount = o.payable))
)`
