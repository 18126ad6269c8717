import { utcDay } from '@candela/protocol/calendar'
import { priceAtLine, reaches } from '@candela/protocol/lending/lines'
import type { CollateralAsset } from '@candela/protocol/lending/choices'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { sql } from 'kysely'
import { type Notice, notify } from '../../../notice/notify.ts'
import type { Tx } from '../../../../db/open.ts'
import { type LoanRecord, type LoanRow, securedOf } from '../record/loan-record.ts'
import { chargeStep } from '../record/steps.ts'
import { holdBack, isNotHeld } from './hold-back.ts'
import { mayReach } from './may-reach.ts'
import { lockLoans, saveWarnings } from '../record/store.ts'

const BATCH = 500

/** `isAway`: spot is far from the price, which waits for it for a while. */
type Watched = { asset: CollateralAsset; price: bigint; isAway: boolean; now: Date }

/** The last loan that was looked at, and its bound. */
export type Looked = { bound: bigint; id: bigint }

/**
 * Tells borrowers whose loans have reached their safety line, once until they are below it again. Walks the index of the bounds
 * from its end.
 * @param after the last loan that was looked at; null before the first
 * @returns the last loan that was looked at; null when none was left
 */
export async function callMargins(
  tx: Tx,
  { asset, price, isAway, now }: Watched,
  after: Looked | null,
): Promise<Looked | null> {
  const found = await openLoans(tx, asset)
    .$if(isAway, (query) => query.where(isNotHeld(sql`'call'`, now, { atLine: true })))
    .where('warned_at', 'is', null)
    .where('safety_price', '>=', price)
    .where(mayReach(sql`safety_ppm`, price, utcDay(now)))
    .$if(after !== null, (query) =>
      query.where(sql<boolean>`(safety_price, id) < (${after?.bound}::numeric, ${after?.id}::bigint)`),
    )
    .orderBy('safety_price', 'desc')
    .orderBy('id', 'desc')
    .execute()
  const open = (await lockFound(tx, found, now)).filter(({ row }) => row.warned_at === null)
  const atLine = open.filter(({ row }) => isReached(row, price))
  const held = isAway ? atLine.map(({ row }) => ({ id: row.id, cause: 'call' as const })) : []
  const waiting = await holdBack(tx, held, now)
  const reached = atLine.filter(({ row }) => !waiting.has(row.id))
  if (reached.length > 0) {
    const ids = reached.map(({ row }) => row.id)
    await saveWarnings(tx, ids, now)
    await notify(tx, ...reached.map(({ row }) => marginCall(row, price, now)))
  }
  return found.length < BATCH ? null : (found.at(-1) ?? null)
}

/** The interest of `WATCH_DAYS`, at most 100 % a year, raises a bound by less than this above the price of the line. */
const BOUND_PERCENT = 105n

/** Forgets the margin calls of loans that are safe again. @returns as `callMargins` does */
export async function clearMargins(
  tx: Tx,
  { asset, price, now }: Watched,
  after: Looked | null,
): Promise<Looked | null> {
  const found = await openLoans(tx, asset)
    .where('warned_at', 'is not', null)
    .where('safety_price', '<=', (price * BOUND_PERCENT) / 100n)
    // Most of those near the price are still at their line: none of them is locked.
    .where(isBelow(price, utcDay(now)))
    .$if(after !== null, (query) =>
      query.where(sql<boolean>`(safety_price, id) > (${after?.bound}::numeric, ${after?.id}::bigint)`),
    )
    .orderBy('safety_price')
    .orderBy('id')
    .execute()
  const safe = (await lockFound(tx, found, now)).filter(({ row }) => !isReached(row, price))
  if (safe.length > 0) {
    const ids = safe.map(({ row }) => row.id)
    await saveWarnings(tx, ids, null)
  }
  return found.length < BATCH ? null : (found.at(-1) ?? null)
}

/** Below their safety line; with a late amount, perhaps. */
const isBelow = (price: bigint, today: string) =>
  sql<boolean>`(next_due_on < ${today}::date or not ${mayReach(sql`safety_ppm`, price, today)})`

const openLoans = (tx: Tx, asset: CollateralAsset) =>
  tx
    .selectFrom('loan_with_debt')
    .select(['id', 'safety_price as bound'])
    .where('collateral_asset', '=', asset)
    .where('closed_at', 'is', null)
    .limit(BATCH)

/** Locks those of the found loans that are still open, charged up to today. */
async function lockFound(tx: Tx, found: readonly Looked[], now: Date): Promise<LoanRecord[]> {
  const ids = found.map(({ id }) => id)
  const loans = (await lockLoans(tx, ids)).filter(({ row }) => row.closed_at === null)
  return loans.map((loan) => chargeStep(loan, utcDay(now), now).loan)
}

const isReached = (row: LoanRow, price: bigint): boolean => reaches(securedOf(row), price, BigInt(row.safety_ppm))

function marginCall(row: LoanRow, price: bigint, now: Date): Notice {
  const secured = securedOf(row)
  return {
    kind: 'marginCall',
    params: {
      loanNo: row.loan_no,
      asset: row.collateral_asset,
      price: fromBaseUnits(price),
      liquidationPrice: fromBaseUnits(priceAtLine(secured, BigInt(row.clearing_ppm)) ?? 0n),
      safePrice: fromBaseUnits(priceAtLine(secured, BigInt(row.safety_ppm)) ?? 0n),
    },
    memberId: row.member_id,
    source: `loan:${row.loan_no}:margin-call:${now.toISOString()}`,
    at: now,
  }
}
