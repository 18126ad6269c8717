import { utcDay } from '@candela/protocol/calendar'
import { codes } from '@candela/protocol/codes/codes'
import { type CollateralAsset, collateralAssets } from '@candela/protocol/lending/choices'
import { PPM, WHOLE_UNIT } from '@candela/protocol/units'
import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { readPrices } from '../../../../chain/price/price.ts'
import { isSpotAway } from '../../../../chain/price/use-price.ts'
import { type Database, transaction } from '../../../../db/open.ts'
import type { Clock } from '../../../../kernel/clock.ts'
import { isAppError } from '../../../../kernel/errors.ts'
import type { IdSource } from '../../../../kernel/ids.ts'
import { salePrice, watchPrice } from '../prices.ts'
import { queryRows } from '../../../../db/query-rows.ts'
import { readSettings } from '../../../../db/settings.ts'
import { isNotHeld } from './hold-back.ts'
import { type Liquidated, liquidateLoans, type MarketPrice } from './liquidate-loans.ts'
import { mayReach } from './may-reach.ts'
import { callMargins, clearMargins, type Looked } from './margin-calls.ts'

/** Loans liquidated in one transaction. */
const BATCH = 100
/** Loans found by one statement, which has to put all those in their order that there are. */
const SEARCH = 5_000

export type WatchDeps = { db: Database; clock: Clock; ids: Pick<IdSource, 'orderNumber'> }

/**
 * Looks at all loans once: liquidates those that have reached their clearing line, are in default or over, and tells those
 * at their safety line. Does nothing for a collateral whose price is stale or unknown. Sells of each collateral at most what its
 * pair bears in one look, and first where most is missing.
 * @returns how many loans were liquidated
 * @throws AggregateError when single loans failed; all others are done then
 */
export async function watchLoans(deps: WatchDeps): Promise<number> {
  const { db, clock } = deps
  const now = clock.now()
  const prices = await readPrices(db, now)
  const { saleLookBps } = await readSettings(db)
  const failures: unknown[] = []
  let liquidated = 0
  for (const asset of collateralAssets) {
    const watched = watchPrice(prices, asset)
    const sale = salePrice(prices, asset)
    if (watched === null || sale === null) continue
    const price = prices[asset]
    const lookUsdt = ((price.depth?.usdt ?? 0n) * BigInt(saleLookBps)) / BPS
    const market = { watchPrice: watched.used, salePrice: sale, price, lookUsdt }
    liquidated += await liquidateAll(deps, asset, market, now, failures)
    const margin = { asset, price: watched.used, isAway: isSpotAway(price), now }
    await untilNone((after) => transaction(db, (tx) => callMargins(tx, margin, after)))
    await untilNone((after) => transaction(db, (tx) => clearMargins(tx, margin, after)))
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} loans could not be liquidated`)
  return liquidated
}

const BPS = 10_000n

async function untilNone(next: (after: Looked | null) => Promise<Looked | null>): Promise<void> {
  let after: Looked | null = null
  do after = await next(after)
  while (after !== null)
}

async function liquidateAll(
  deps: WatchDeps,
  asset: CollateralAsset,
  market: MarketPrice,
  now: Date,
  failures: unknown[],
): Promise<number> {
  let liquidated = 0
  const left = { usdt: market.lookUsdt }
  const sell = async (found: readonly Place[]): Promise<void> => {
    for (let from = 0; from < found.length; from += BATCH) {
      const ids = found.slice(from, from + BATCH).map(({ id }) => id)
      const { loans, paid } = await liquidateBatch(deps, ids, { ...market, lookUsdt: left.usdt }, now, failures)
      liquidated += loans
      left.usdt -= paid
    }
  }
  for (const find of [findAtLine, findLate]) {
    for (let after: Place | undefined = { by: null, id: 0n }; after !== undefined && left.usdt > 0n;) {
      const found: Place[] = await find(deps.db, asset, { market, today: utcDay(now), now, after })
      await sell(found)
      after = found.length < SEARCH ? undefined : found.at(-1)
    }
  }
  for (let after: Place | undefined = { by: null, id: 0n }; after !== undefined;) {
    const found: Place[] = await findLiquidating(deps.db, asset, after)
    await sell(found)
    after = found.length < SEARCH ? undefined : found.at(-1)
  }
  return liquidated
}

/** All at once, or one by one when one of them cannot be liquidated. */
async function liquidateBatch(
  deps: WatchDeps,
  ids: readonly bigint[],
  market: MarketPrice,
  now: Date,
  failures: unknown[],
): Promise<Liquidated> {
  try {
    return await transaction(deps.db, (tx) => liquidateLoans(tx, deps, ids, market, now))
  } catch (error) {
    if (ids.length === 1) {
      // The desk's money was spent elsewhere meanwhile: the next look goes on.
      if (!isAppError(error, codes.deskShort)) failures.push(error)
      return { loans: 0, paid: 0n }
    }
  }
  const all = { loans: 0, paid: 0n }
  for (const id of ids) {
    const lookUsdt = market.lookUsdt - all.paid
    const { loans, paid } = await liquidateBatch(deps, [id], { ...market, lookUsdt }, now, failures)
    all.loans += loans
    all.paid += paid
  }
  return all
}

const placeRow = z.object({ id: z.bigint(), by: z.bigint() })

/** A loan, with what the search goes by; null before the first. */
type Place = { id: bigint; by: bigint | null }
type Search = { market: MarketPrice; today: string; now: Date; after: Place }

/** The debt of a loan, without the late charges of days that were not charged yet. */
const OWED = sql`(principal + interest_charged - interest_paid + late_charged - late_paid)`

/**
 * Loans that may have reached their clearing line, first where most is missing to the line: so many small loans do not keep the
 * desk's money from a large one. The index on the bounds finds them, and exact figures decide.
 */
const findAtLine = (
  db: Database,
  asset: CollateralAsset,
  { market: { watchPrice: price, price: seen }, today, now, after }: Search,
): Promise<Place[]> =>
  findLargest(db, asset, after, {
    by: sql`${OWED} * ${PPM * WHOLE_UNIT}::numeric - clearing_ppm * collateral * ${price}::numeric`,
    where: sql`watch_price >= ${price} and ${mayReach(sql`clearing_ppm`, price, today)}
      and ${isSpotAway(seen) ? isNotHeld(sql`'line'`, now, { atLine: true }) : sql`true`}`,
  })

/** Loans in default, and leveraged loans whose term and grace are over, the largest first. */
const findLate = (
  db: Database,
  asset: CollateralAsset,
  { market: { price }, today, now, after }: Search,
): Promise<Place[]> => {
  const isOver = sql`(kind = 'lever' and due_on + grace_days < ${today}::date)`
  const cause = sql`case when ${isOver} then 'term' else 'default:' || next_due_on end`
  return findLargest(db, asset, after, {
    by: OWED,
    where: sql`next_due_on < ${today} and (next_due_on + default_days <= ${today}::date or ${isOver})
      and ${price.paused ? isNotHeld(cause, now, { atLine: false }) : sql`true`}`,
  })
}

type Order = { by: RawBuilder<unknown>; where: RawBuilder<unknown> }

const findLargest = (db: Database, asset: CollateralAsset, after: Place, { by, where }: Order): Promise<Place[]> =>
  queryRows(
    db,
    placeRow,
    sql`
    select id, by from (
      select id, ${by} as by from loan_with_debt where collateral_asset = ${asset} and closed_at is null and ${where}
    ) as found
    where ${after.by}::numeric is null or (by, id) < (${after.by}::numeric, ${after.id}::bigint)
    order by by desc, id desc limit ${SEARCH}`,
  )

/** Loans of which a sale has begun that could not be completed. The state is part of the index, so it is no parameter. */
const findLiquidating = (db: Database, asset: CollateralAsset, after: Place): Promise<Place[]> =>
  db
    .selectFrom('loan_with_debt')
    .select(['id', 'id as by'])
    .where('collateral_asset', '=', asset)
    .where('closed_at', 'is', null)
    .where(sql<boolean>`state = 'liquidating'`)
    .where('id', '>', after.id)
    .orderBy('id')
    .limit(SEARCH)
    .execute()
