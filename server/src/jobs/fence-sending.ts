import type { PayoutChain } from '../chain/payout/payout-chain.ts'
import { type Database, transaction } from '../db/open.ts'

/**
 * Sends nothing once another server has taken the lease of `db`. What is sent was stored under the lease before, and the other server
 * sends it too, which is harmless: so it is enough to ask at the moment before.
 */
export const fenceSending = (payouts: PayoutChain, db: Database): PayoutChain => ({
  ...payouts,
  async send(raw) {
    await transaction(db, () => Promise.resolve())
    return payouts.send(raw)
  },
})
