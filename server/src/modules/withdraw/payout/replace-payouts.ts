import { CHAIN_ID } from '@candela/protocol/chain/network'
import { sql } from 'kysely'
import { queryRows } from '../../../db/query-rows.ts'
import { z } from 'zod'
import { bumped, GWEI, TRANSFER_GAS } from '../../../chain/payer/offer.ts'
import type { Followed } from '../../../chain/payer/followed.ts'
import { transaction } from '../../../db/open.ts'
import { readSettings } from '../../../db/settings.ts'
import { changeState, lockWithdrawal, type WithdrawalRow } from '../change-state.ts'
import { isPaidOnChain } from './is-paid-on-chain.ts'
import { PAYOUT_GAS, type PayoutDeps } from './payout-deps.ts'
import { storeTransaction, termsOf } from './sign-payout.ts'

const stuckRow = z.object({
  id: z.bigint(),
  withdrawal_no: z.string(),
  nonce: z.bigint(),
  hash: z.string(),
  gas_price: z.bigint(),
  is_given_up: z.boolean(),
})
type Stuck = z.output<typeof stuckRow>

/**
 * Signs the same payment again, at the same nonce and for at least an eighth more, where blocks have gone by without it. A payout that
 * operators have given up gets an empty transaction at its nonce instead.
 * Only one of the two can ever be mined. Time counts on chain: while no blocks come, a better price helps nobody.
 * Returns how many were replaced.
 * @throws RpcError
 */
export async function replaceStuck(deps: PayoutDeps, followed: Followed): Promise<number> {
  const { db, chain, signer, clock, log } = deps
  const settings = await readSettings(db)
  const stuck = await readStuck(deps, new Date(followed.tip.at.getTime() - settings.payoutStuckSeconds * 1000))
  if (stuck.length === 0) return 0
  const [wanted, used] = await Promise.all([chain.gasPrice(), chain.nonceAt(followed.tip, signer.address)])
  const maxPrice = BigInt(settings.payoutGasPriceGwei) * GWEI
  let replaced = 0
  // One that is mined and not recorded yet is not stuck.
  for (const old of stuck.filter(({ nonce }) => nonce >= used)) {
    const gasPrice = bumped(old.gas_price, wanted, maxPrice)
    if (gasPrice === null) {
      log.warn(
        {
          event: 'payout.price-limit-reached',
          chain: CHAIN_ID,
          withdrawal: old.withdrawal_no,
          price: String(old.gas_price),
        },
        'a stuck payout cannot be replaced: the gas price would exceed the maximum',
      )
      continue
    }
    if (await replace(deps, old, gasPrice, clock.now())) {
      log.warn(
        { event: 'payout.replaced', chain: CHAIN_ID, withdrawal: old.withdrawal_no, txHash: old.hash },
        'a stuck payout was signed again at a higher gas price',
      )
      replaced += 1
    }
  }
  return replaced
}

async function readStuck({ db, signer }: PayoutDeps, signedBefore: Date): Promise<Stuck[]> {
  const rows = await queryRows(
    db,
    stuckRow,
    sql`
    select w.id, w.withdrawal_no, w.nonce, t.hash, t.gas_price, w.given_up_at is not null as is_given_up
    from withdrawal w
    join lateral (
      select * from payout_transaction where withdrawal_id = w.id order by gas_price desc limit 1
    ) t on true
    where w.state = 'sending' and w.payer = ${signer.address} and not ${isPaidOnChain}
      and ((w.given_up_at is not null and not t.is_empty)
        -- A better price helps nothing that the chain does not take.
        or (t.signed_at <= ${signedBefore} and (t.is_empty or w.reason is distinct from 'paused')))
    order by w.nonce`,
  )
  return rows
}

/** False when another worker was faster, or the withdrawal is over. */
function replace(deps: PayoutDeps, old: Stuck, gasPrice: bigint, now: Date): Promise<boolean> {
  const { signer } = deps
  return transaction(deps.db, async (tx) => {
    await tx.selectFrom('payer').select('address').where('address', '=', signer.address).forUpdate().execute()
    const row = await lockWithdrawal(tx, old.id)
    if (row?.state !== 'sending' || row.nonce === null) return false
    const newest = await tx
      .selectFrom('payout_transaction')
      .select('hash')
      .where('withdrawal_id', '=', row.id)
      .orderBy('gas_price', 'desc')
      .limit(1)
      .executeTakeFirst()
    if (newest?.hash !== old.hash) return false
    const isEmpty = old.is_given_up
    const { hash, raw } = await signer.sign(
      isEmpty
        ? { nonce: row.nonce, gasPrice, gas: TRANSFER_GAS, to: signer.address, data: '0x' }
        : callOf(deps, row, row.nonce, gasPrice),
    )
    await storeTransaction(
      tx,
      { hash, raw, withdrawalId: row.id, payer: signer.address, nonce: row.nonce, gasPrice, isEmpty },
      now,
    )
    // Its owner is shown payments alone.
    if (!isEmpty) await changeState(tx, row, 'sending', { txHash: hash }, now)
    return true
  })
}

const callOf = ({ chain }: PayoutDeps, row: WithdrawalRow, nonce: bigint, gasPrice: bigint) => ({
  nonce,
  gasPrice,
  gas: PAYOUT_GAS,
  ...chain.call(termsOf(row)),
})
