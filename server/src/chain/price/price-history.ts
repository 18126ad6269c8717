import type { CollateralAsset, PriceDays } from '@candela/protocol/lending/choices'
import { DAY_MS, WHOLE_UNIT } from '@candela/protocol/units'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Database, Tx } from '../../db/open.ts'
import { queryRows } from '../../db/query-rows.ts'

/** How much time a point of the picture stands for, by the days that are asked for: at most 181 points. */
const stepMinutes: Readonly<Record<PriceDays, number>> = { 1: 15, 7: 60, 30: 240 }
/** A little more than the longest time that is asked for. */
const KEPT_DAYS = 31

/**
 * Writes down the quarter of an hour of an observation that was just kept, from the observations that are left of it: a
 * reorganisation may have taken some back. Forgets what is too old.
 */
export async function keepPriceHistory(tx: Tx, { asset, at }: { asset: CollateralAsset; at: Date }): Promise<void> {
  const quarter = sql`date_bin('15 minutes', ${at}::timestamptz, timestamptz 'epoch')`
  await sql`
    insert into price_history (asset, quarter, at, block_number, price, lowest, highest)
    select ${asset}, ${quarter}, max(at), max(block_number), (array_agg(price order by at desc))[1], min(price), max(price)
    from (
      select at, block_number, div(usdt_reserve * ${WHOLE_UNIT}::numeric, asset_reserve) as price
      from price_observation
      where asset = ${asset} and at >= ${quarter} and at <= ${at}
    ) as observed
    on conflict (asset, quarter) do update set at = excluded.at, block_number = excluded.block_number,
      price = excluded.price, lowest = excluded.lowest, highest = excluded.highest`.execute(tx)
  await tx
    .deleteFrom('price_history')
    .where('asset', '=', asset)
    .where((where) =>
      where.or([where('quarter', '>', at), where('quarter', '<', new Date(at.getTime() - KEPT_DAYS * DAY_MS))]),
    )
    .execute()
}

const pointRow = z.object({
  at: z.date(),
  block_number: z.bigint(),
  price: z.bigint(),
  lowest: z.bigint(),
  highest: z.bigint(),
})

/** The spot prices of a time, in USDT base units per whole unit. */
export type PricePoint = z.output<typeof pointRow>

/**
 * The spot prices of the last days, oldest first: each point is the last observation of its time, with the lowest and the
 * highest price in it, so that no fall is left out of a picture. Time without observations has no points.
 */
export async function readPriceHistory(
  db: Database,
  asset: CollateralAsset,
  days: PriceDays,
  now: Date,
): Promise<PricePoint[]> {
  const from = new Date(now.getTime() - Number(days) * DAY_MS)
  return queryRows(
    db,
    pointRow,
    sql`
    select max(at) as at, max(block_number) as block_number, (array_agg(price order by quarter desc))[1] as price,
      min(lowest) as lowest, max(highest) as highest
    from price_history
    where asset = ${asset} and quarter >= ${from}
    group by date_bin(make_interval(mins => ${stepMinutes[days]}), quarter, timestamptz 'epoch')
    order by 1`,
  )
}
