import { CHAIN_ID } from '@candela/protocol/chain/network'
import { assetCodes, type AssetCode } from '@candela/protocol/money/assets'
import { type LimitPrice, readLimitPrice } from '../../chain/price/use-price.ts'
import { type Database, transaction, type Tx } from '../../db/open.ts'
import { readSettings } from '../../db/settings.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { changeState, lockWithdrawal } from './change-state.ts'
import { causeWhenAsked, readEvidence } from './evidence.ts'
import { readUnseen } from './read-unseen.ts'
import { approvalsFor, limitsOf, worthAt } from './terms.ts'

/** So many at a time. */
const BATCH = 100

/**
 * Decides anew about withdrawals that wait for a review because the price of their asset was paused, once it is not: they count at the
 * price of now, and what nobody has to look at goes into the queue, at the place of the time when it was asked for.
 * Returns true when there may be more to do.
 */
export async function endPriceReviews({ db, clock, log }: { db: Database; clock: Clock; log: Log }): Promise<boolean> {
  for (const asset of assetCodes) {
    const waiting = await listWaiting(db, asset)
    if (waiting.length === 0) continue
    const now = clock.now()
    const price = await readLimitPrice(db, asset, now)
    if (price === null || price.isPaused) continue
    for (const { id } of waiting) {
      const isQueued = await transaction(db, (tx) => decideAgain(tx, id, price, now))
      const facts = { chain: CHAIN_ID, asset, withdrawals: waiting.length }
      if (isQueued && id === waiting[0]?.id)
        log.info(
          { event: 'withdrawal.reviews-ended', ...facts },
          'a price is back: withdrawals that waited for it are queued',
        )
    }
    if (waiting.length === BATCH) return true
  }
  return false
}

const listWaiting = (db: Database, asset: AssetCode) =>
  db
    .selectFrom('withdrawal')
    .select('id')
    .where('state', '=', 'review')
    .where('reason', '=', 'pricePaused')
    .where('asset', '=', asset)
    .orderBy('id')
    .limit(BATCH)
    .execute()

/** Returns true when nobody has to look at it any more. */
async function decideAgain(tx: Tx, id: bigint, { price }: LimitPrice, now: Date): Promise<boolean> {
  const { member_id: memberId } = await tx
    .selectFrom('withdrawal')
    .select('member_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  // As when it was asked for: what the member asks for at the same time counts with it.
  await tx.selectFrom('member').select('id').where('id', '=', memberId).forNoKeyUpdate().execute()
  const row = await lockWithdrawal(tx, id)
  if (row?.state !== 'review' || row.reason !== 'pricePaused') return false
  const worth = worthAt(row.amount, price)
  const cause = causeWhenAsked(await readEvidence(tx, { memberId, address: row.to_address }, now), false)
  const unseen = await readUnseen(tx, memberId, now, id)
  const limits = limitsOf(await readSettings(tx))
  const approvals = approvalsFor(worth, { isReviewed: cause !== null, unseen }, limits)
  await tx
    .updateTable('withdrawal')
    .set({ worth_usdt: worth, approvals, reason: cause ?? 'overLimit' })
    .where('id', '=', id)
    .execute()
  if (approvals > 0) return false
  await changeState(tx, row, 'queued', {}, now)
  return true
}
