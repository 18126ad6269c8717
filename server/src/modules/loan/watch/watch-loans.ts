import { utcDay } from '@candela/protocol/calendar'
import { codes } from '@candela/protocol/codes/codes'
import { type CollateralAsset, collateralAssets } from '@candela/protocol/credit/choices'
import { sql } from 'kysely'
import { type Database, transaction } from '../../../db/open.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { isAppError } from '../../../kernel/errors.ts'
import { type ReadPrices, salePrice, watchPrice } from '../prices.ts'
import { liquidateLoans, type LiquidationDeps, type MarketPrice } from './liquidate-loans.ts'
import { mayReach } from './may-reach.ts'
import { callMargins, clearMargins, type Looked } from './margin-calls.ts'

/** Loans liquidated in one transaction. */
const BATCH = 100

export type WatchDeps = LiquidationDeps & { db: Database; clock: Clock; readPrices: ReadPrices }

/**
 * Looks at all loans once: liquidates those that have reached their clearing line, are in default or over, and tells those
 * at their safety line. Does nothing for a collateral whose price is stale or unknown.
 * @returns how many loans were liquidated
 * @throws AggregateError when single loans failed; all others are done then
 */
export async function watchLoans(deps: WatchDeps): Promise<number> {
  const { db, clock } = deps
  const now = clock.now()
  const prices = await deps.readPrices(db, now)
  const failures: unknown[] = []
  let liquidated = 0
  for (const asset of collateralAssets) {
    const watched = watchPrice(prices, asset)
    const sale = salePrice(prices, asset)
    if (watched === null || sale === null) continue
    const market = { watchPrice: watched.used, salePrice: sale, price: prices[asset] }
    liquidated += await liquidateAll(deps, asset, market, now, failures)
    const margin = { asset, price: watched.used, now }
    await untilNone((after) => transaction(db, (tx) => callMargins(tx, deps, margin, after)))
    await untilNone((after) => transaction(db, (tx) => clearMargins(tx, margin, after)))
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} loans could not be liquidated`)
  return liquidated
}

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
  for (const find of [findAtLine, findLate, findLiquidating]) {
    for (let after: Place | undefined = { by: null, id: 0n }; after !== undefined;) {
      const found: Place[] = await find(deps.db, asset, { price: market.watchPrice, today: utcDay(now), after })
      const ids = found.map(({ id }) => id)
      if (ids.length > 0) liquidated += await liquidateBatch(deps, ids, market, now, failures)
      after = found.length < BATCH ? undefined : found.at(-1)
    }
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
): Promise<number> {
  try {
    return await transaction(deps.db, (tx) => liquidateLoans(tx, deps, ids, market, now))
  } catch (error) {
    if (ids.length === 1) {
      // The desk's money was spent elsewhere meanwhile: the next look goes on.
      if (!isAppError(error, codes.deskShort)) failures.push(error)
      return 0
    }
  }
  let liquidated = 0
  for (const id of ids) liquidated += await liquidateBatch(deps, [id], market, now, failures)
  return liquidated
}

/** A loan, with what the search goes by; null before the first. */
type Place = { by: bigint | string | null; id: bigint }
type Search = { price: bigint; today: string; after: Place }

/*
 * Each search walks an index from its end, so that it reads what it finds and nothing else. With an order by id, Postgres may go
 * through all loans to find a few.
 */

/** Loans that may have reached their clearing line, the farthest beyond it first: the bound finds them, and exact figures decide. */
const findAtLine = (db: Database, asset: CollateralAsset, { price, today, after }: Search): Promise<Place[]> =>
  openLoans(db, asset)
    .select('watch_price as by')
    .where('watch_price', '>=', price)
    .where(mayReach(sql`clearing_ppm`, price, today))
    .$if(after.by !== null, (query) =>
      query.where(sql<boolean>`(watch_price, id) < (${after.by}::numeric, ${after.id}::bigint)`),
    )
    .orderBy('watch_price', 'desc')
    .orderBy('id', 'desc')
    .execute()

/** Loans in default, and leveraged loans whose term and grace are over. */
const findLate = (db: Database, asset: CollateralAsset, { today, after }: Search): Promise<Place[]> =>
  openLoans(db, asset)
    .select('next_due_on as by')
    .where('next_due_on', '<', today)
    .where(
      sql<boolean>`(next_due_on + default_days <= ${today}::date
        or (kind = 'lever' and due_on + grace_days < ${today}::date))`,
    )
    .$if(after.by !== null, (query) =>
      query.where(sql<boolean>`(next_due_on, id) > (${after.by}::date, ${after.id}::bigint)`),
    )
    .orderBy('next_due_on')
    .orderBy('id')
    .execute()

/** Loans of which a sale has begun that could not be completed. The state is part of the index, so it is no parameter. */
const findLiquidating = (db: Database, asset: CollateralAsset, { after }: Search): Promise<Place[]> =>
  openLoans(db, asset)
    .select('id as by')
    .where(sql<boolean>`state = 'liquidating'`)
    .where('id', '>', after.id)
    .orderBy('id')
    .execute()

const openLoans = (db: Database, asset: CollateralAsset) =>
  db
    .selectFrom('loan_with_debt')
    .select('id')
    .where('collateral_asset', '=', asset)
    .where('closed_at', 'is', null)
    .limit(BATCH)
