import { sql } from 'kysely'

/** SQL condition: a followed block holds the payment of the withdrawal `w`, at any depth. */
export const isPaidOnChain = sql<boolean>`exists (
  select from chain_payment e where e.action = 'paid' and e.reference = w.payout_id and not e.orphaned)`
