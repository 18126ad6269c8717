import { CHAIN_ID } from '@candela/protocol/chain/network'
import { sql } from 'kysely'
import { queryRows } from '../../../db/query-rows.ts'
import { z } from 'zod'
import { OFFER_AGAIN_MS } from '../../../chain/payer/offer.ts'
import { isAboutBlockList, type SendResult } from '../../../chain/payout/payout-chain.ts'
import { isPaidOnChain } from './is-paid-on-chain.ts'
import type { PayoutDeps } from './payout-deps.ts'

const offerRow = z.object({
  hash: z.string(),
  raw: z.string(),
  withdrawal_no: z.string(),
  last_failure: z.string().nullable(),
})

/**
 * Offers the node every stored transaction whose payment is in no block that we know, in the order of their nonces. That
 * covers what was just signed, what a restart finds, what a node forgot, and what a reorganisation took off the chain.
 * Sending one twice is harmless: it is the same transaction. Returns how many were offered.
 * @throws RpcError when the node does not answer; what was offered before it stays noted
 */
export async function sendPayouts({ db, chain, clock, log }: PayoutDeps): Promise<number> {
  const now = clock.now()
  // Only the dearest of several with one nonce is offered: nodes want to hear of no other.
  const rows = await queryRows(
    db,
    offerRow,
    sql`
    select t.hash, t.raw, t.last_failure, w.withdrawal_no
    from withdrawal w
    join lateral (
      select * from payout_transaction where withdrawal_id = w.id order by gas_price desc limit 1
    ) t on true
    where (w.state = 'sending' or w.payout_id in (
        select reference from chain_payment where action = 'paid' and orphaned))
      and not ${isPaidOnChain}
      and (t.tried_at is null or t.tried_at <= ${new Date(now.getTime() - OFFER_AGAIN_MS)})
    order by t.nonce`,
  )
  for (const offer of rows) {
    const sent = await chain.send(offer.raw)
    const refusal = refusalOf(sent)
    await sql`
      update payout_transaction set tried_at = ${now}, last_failure = ${refusal},
        broadcast_at = coalesce(broadcast_at, ${refusal === null ? now : null})
      where hash = ${offer.hash}`.execute(db)
    await noteBlocked(db, offer.withdrawal_no, refusal !== null && isAboutBlockList(refusal))
    if (refusal !== null && refusal !== offer.last_failure) {
      const facts = { chain: CHAIN_ID, withdrawal: offer.withdrawal_no, txHash: offer.hash, reason: refusal }
      if (isAboutBlockList(refusal)) {
        log.error(
          { event: 'payout.blocked', ...facts },
          'the chain has the payer or the recipient on a block list: an operator has to act',
        )
      } else log.warn({ event: 'payout.refused-by-node', ...facts }, 'the node refused the transaction of a payout')
    }
  }
  return rows.length
}

/** A used nonce is no refusal: most often it was used by this very transaction, and the follower will say so. */
const refusalOf = (sent: SendResult): string | null => (sent.result === 'refused' ? sent.reason : null)

/** A payout that the chain does not take is paused, so that its owner and operators see that it waits; until the chain takes it. */
const noteBlocked = (db: PayoutDeps['db'], withdrawalNo: string, isBlocked: boolean) =>
  sql`
    update withdrawal set reason = ${isBlocked ? 'paused' : null}
    where withdrawal_no = ${withdrawalNo} and state = 'sending' and (reason is not distinct from 'paused') <> ${isBlocked}`.execute(
    db,
  )
