import { CHAIN_ID } from '@candela/protocol/chain/network'
import { assetCodes } from '@candela/protocol/money/assets'
import { sql } from 'kysely'
import { queryRows } from '../../../../db/query-rows.ts'
import { z } from 'zod'
import { transaction } from '../../../../db/open.ts'
import { keepFee, releaseHold, lockWithdrawal } from '../../change-state.ts'
import { isPaidOnChain } from '../is-paid-on-chain.ts'
import type { Followed, PayoutDeps } from '../payout-deps.ts'
import { type Unpaid, whyUnpaid } from '../why-unpaid.ts'

const openRow = z.object({
  id: z.bigint(),
  withdrawal_no: z.string(),
  payout_id: z.string(),
  asset: z.enum(assetCodes),
  to_address: z.string(),
  payout_amount: z.bigint(),
  payer: z.string(),
  nonce: z.bigint(),
  transactions: z.array(z.object({ hash: z.string(), gasPrice: z.coerce.bigint() })),
})
type Open = z.output<typeof openRow>

type EndDeps = Pick<PayoutDeps, 'db' | 'clock' | 'log' | 'notify'> & {
  chain: Pick<PayoutDeps['chain'], 'nonceAt' | 'isPaid' | 'receipt' | 'simulatePayout'>
}

/**
 * Gives the money back where a payout provably cannot happen any more: its nonce is used at a final block, no followed
 * block pays it, and the contract itself says that it is not paid. All that was ever signed for it has that one nonce.
 * Where its recipient has made it revert, the fee is kept. Returns how many have ended.
 * @throws RpcError
 */
export async function endDeadPayouts(deps: EndDeps, followed: Followed): Promise<number> {
  const { chain, log } = deps
  const { final, tip } = followed
  if (final === null) return 0
  const open = await readOpen(deps)
  const used = new Map<string, bigint>()
  for (const payer of new Set(open.map((one) => one.payer))) used.set(payer, await chain.nonceAt(final, payer))
  let ended = 0
  for (const one of open.filter(({ payer, nonce }) => nonce < (used.get(payer) ?? 0n))) {
    if (await chain.isPaid(tip, one.payout_id)) {
      log.error(
        { event: 'payout.unknown-payment-reported', chain: CHAIN_ID, withdrawal: one.withdrawal_no },
        'the contract reports the payout as paid, and no followed block contains the payment',
      )
      continue
    }
    const terms = { payoutId: one.payout_id, asset: one.asset, to: one.to_address, amount: one.payout_amount }
    const unpaid = await whyUnpaid(deps, { ...one, terms }, { tip, final })
    if (unpaid === null) continue
    if (await end(deps, one, tip.hash, unpaid)) {
      log.warn(
        { event: 'payout.failed', chain: CHAIN_ID, withdrawal: one.withdrawal_no, ...unpaid },
        'a payout has failed; its amount is available again',
      )
      ended += 1
    }
  }
  return ended
}

async function readOpen({ db }: EndDeps): Promise<Open[]> {
  const rows = await queryRows(
    db,
    openRow,
    sql`
    select w.id, w.withdrawal_no, w.payout_id, w.asset, w.to_address, w.payout_amount, w.payer, w.nonce,
      (select json_agg(json_build_object('hash', hash, 'gasPrice', gas_price::text) order by gas_price)
        from payout_transaction where withdrawal_id = w.id) as transactions
    from withdrawal w
    where w.state = 'sending' and not ${isPaidOnChain}
    order by w.nonce`,
  )
  return rows
}

function end({ db, clock, notify }: EndDeps, one: Open, tipHash: string, unpaid: Unpaid): Promise<boolean> {
  return transaction(db, async (tx) => {
    // No block is recorded or taken back meanwhile; what was asked must still be about the last one that we follow.
    const cursor = await tx.selectFrom('chain_cursor').select('followed_hash').forUpdate().executeTakeFirst()
    if (cursor?.followed_hash !== tipHash) return false
    const row = await lockWithdrawal(tx, one.id)
    if (row?.state !== 'sending') return false
    const paid = await tx
      .selectFrom('chain_payment')
      .select('id')
      .where('action', '=', 'paid')
      .where('reference', '=', one.payout_id)
      .executeTakeFirst()
    if (paid !== undefined) return false
    if (unpaid.reason === 'reverted') await keepFee(tx, notify, row, unpaid.txHash, clock.now())
    else await releaseHold(tx, notify, row, 'failed', unpaid, clock.now())
    return true
  })
}
