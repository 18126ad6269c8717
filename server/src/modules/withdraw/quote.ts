import type { AssetCode } from '@candela/protocol/money/assets'
import type { Data, HandlerInput } from '@candela/protocol/endpoints'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { sql } from 'kysely'
import { queryRows } from '../../db/query-rows.ts'
import { z } from 'zod'
import type { LimitPrice } from '../../chain/price/use-price.ts'
import type { Database } from '../../db/open.ts'
import { readSettings } from '../../db/settings.ts'
import { memberBalances } from '../../ledger/balances.ts'
import { causeWhenAsked, readEvidence } from './evidence.ts'
import { readUnseen } from './read-unseen.ts'
import { type Allowance, amountAt, approvalsFor, leftOf, limitsOf, periodsOf, tariffOf, worthAt } from './terms.ts'

/** What an asset counts at against limits; null while nobody knows. USDT always has one. */
export type ReadLimitPrice = (db: Database, asset: AssetCode, now: Date) => Promise<LimitPrice | null>

export type QuoteDeps = {
  db: Database
  readLimitPrice: ReadLimitPrice
  /** Why nothing goes out now; null when something may. */
  readPauseReason: (db: Database, now: Date) => Promise<string | null>
}

/** Everything about a withdrawal before it is asked for. Promises nothing and changes nothing. */
export async function quoteWithdrawal(
  { db, readLimitPrice, readPauseReason }: QuoteDeps,
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
  return {
    asset,
    available: fromBaseUnits(balances[asset].available),
    fee: fromBaseUnits(fee),
    minimum: fromBaseUnits(minimum),
    leftToday: left(allowances.day),
    leftThisMonth: left(allowances.month),
    received: amount === undefined || amount <= fee ? null : fromBaseUnits(amount - fee),
    to: address,
    needsReview: approvalsFor(worth, { isReviewed, unseen }, limitsOf(settings)) > 0,
    paused: pauseReason !== null,
  }
}

const usedRow = z.object({ day: z.bigint(), month: z.bigint() })

/** What a member has asked for in this day and this month. What was given back does not count. */
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
