import { sql } from 'kysely'

/**
 * SQL condition: the recorded payment `e` will settle order `o` of member `m`, one way or another, once it is deep
 * enough and if the order is open by then. It repeats the rule of `decide-purchases.ts` for lists;
 * `will-settle.test.ts` checks that both agree.
 */
export const willSettle = sql<boolean>`(
  e.action = 'buyPower' and e.reference = o.order_no and e.state = 'recorded' and e.block_at <= o.watch_until
  and (e.payer = m.address or (e.asset = o.asset and e.amount = o.payable))
)`
