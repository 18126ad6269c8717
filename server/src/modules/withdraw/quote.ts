import type { AssetCode } from '@candela/protocol/money/assets'
import type { Data, HandlerInput } from '@candela/protocol/endpoints'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { sql } from 'kysely'
import { type ConfirmationRule, confirmationsNeeded } from '../../chain/crediting/confirmations.ts'
import { readLimitPrice } from '../../chain/price/use-price.ts'
import { queryRows } from '../../db/query-rows.ts'
import { z } from 'zod'
import type { Database } from '../../db/open.ts'
import { readSettings } from '../../db/settings.ts'
import { memberBalances } from '../../ledger/balances.ts'
import { readPauseReason } from '../reconcile/pause.ts'
import { causeWhenAsked, readEvidence } from './evidence.ts'
import { blocksFor, readQueue, signableAt } from './wait/expected-time.ts'
import { freshPart, readOldMoney } from './wait/old-money.ts'
import { readUnseen } from './read-unseen.ts'
import { type Allowance, amountAt, approvalsFor, leftOf, limitsOf, periodsOf, tariffOf, worthAt } from './terms.ts'

export type QuoteDeps = {
  db: Database
  confirmations: ConfirmationRule
}

/** Everything about a withdrawal before it is asked for. Promises nothing and changes nothing. */
export async function quoteWithdrawal(
  { db, confirmations }: QuoteDeps,
  { asset, amount }: HandlerInput<'GET withdraw/quote'>,
  { memberId, now }: { memberId: bigint; now: Date },
): Promise<Data<'GET withdraw/quote'>> {
  const [settings, balances, price, pauseReason, allowances, { address }] = await Promise.all([
    readSettings(db),
    memberBalances(db, memberId),
    readLimitPrice(db, asset, now),
    readPauseReason(db, now),
    readAllowances(db, memberId, now),
    db.selectFrom('member').select('address').where('id', '=', memberId).executeTakeFirstOrThrow(),
  ])
  const { fee, minimum } = tariffOf(settings, asset)
  const evidence = await readEvidence(db, { memberId, address }, now)
  const left = (allowance: Allowance) =>
    price === null ? null : fromBaseUnits(amountAt(leftOf(allowance), price.price))
  const worth = price === null || amount === undefined ? 0n : worthAt(amount, price.price)
  const isReviewed = causeWhenAsked(evidence, price?.isPaused === true) !== null
  const unseen = await readUnseen(db, memberId, now)
  const needsReview = approvalsFor(worth, { isReviewed, unseen }, limitsOf(settings)) > 0
  const received = amount === undefined || amount <= fee ? null : amount - fee
  const isTold = received !== null && !needsReview && pauseReason === null
  const wanted = { asset, received: received ?? 0n, worth, memberId }
  return {
    asset,
    available: fromBaseUnits(balances[asset].available),
    fee: fromBaseUnits(fee),
    minimum: fromBaseUnits(minimum),
    leftToday: left(allowances.day),
    leftThisMonth: left(allowances.month),
    received: received === null ? null : fromBaseUnits(received),
    to: address,
    needsReview,
    paused: pauseReason !== null,
    expectedAt: isTold ? await expectedAt({ db, confirmations }, wanted, now) : null,
  }
}

/** When a withdrawal that is asked for now would be done; null when nobody knows. */
async function expectedAt(
  { db, confirmations }: QuoteDeps,
  { asset, received, worth, memberId }: { asset: AssetCode; received: bigint; worth: bigint; memberId: bigint },
  now: Date,
): Promise<string | null> {
  const [{ block_ms, ...queue }, old] = await Promise.all([readQueue(db, asset, now), readOldMoney(db, memberId, now)])
  const fresh = freshPart(received, { worth, old })
  const start = signableAt({ amount: received, fresh, askedAt: now, ...queue }, now)
  if (start === null || block_ms === null) return null
  return new Date(
    start.getTime() + blocksFor(queue.ahead.count, confirmationsNeeded(confirmations, worth)) * block_ms,
  ).toISOString()
}

const usedRow = z.object({ day: z.bigint(), month: z.bigint() })

/** Reads what a member has asked for in this day and this month. What was given back does not count. */
export async function readAllowances(
  db: Database,
  memberId: bigint,
  now: Date,
): Promise<{ day: Allowance; month: Allowance }> {
  const periods = periodsOf(now)
  const limits = limitsOf(await readSettings(db))
  const rows = await queryRows(
    db,
    usedRow,
    sql`
    select coalesce(sum(worth_usdt) filter (where created_at >= ${periods.day}), 0) as day,
      coalesce(sum(worth_usdt), 0) as month
    from withdrawal
    where member_id = ${memberId} and created_at >= ${periods.month} and state not in ('rejected', 'failed')`,
  )
  const [used] = rows
  return {
    day: { used: used?.day ?? 0n, limit: limits.day },
    month: { used: used?.month ?? 0n, limit: limits.month },
  }
}
