import type { AssetCode } from '@candela/protocol/money/assets'
import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { Database, Tx } from '../../db/open.ts'
import { queryRows } from '../../db/query-rows.ts'
import { DAY_S, type Observation, SHORT_WINDOW_S, WINDOW_S } from './average-price.ts'
import type { Reference } from './reference.ts'

export type PricedAsset = Exclude<AssetCode, 'USDT'>

type Summed = Pick<Observation, 'at' | 'cumulative'>
type Base = Summed & { blockNumber: bigint }

/** The facts that a price follows from. */
export type Facts = {
  latest: Observation & { pair: string; blockNumber: bigint }
  /** Where the windows begin: the last observation before each, or else the first one there is. */
  fiveMinutesAgo: Base
  halfHourAgo: Base
  dayAgo: Base
  reference: Reference
  /** Null before the first observation by a version that measures it. */
  measure: Measure | null
}

/** The figures that `measurePair` writes down with each observation. */
export type Measure = {
  median5: bigint | null
  /** USDT that the pair held in nine tenths of the time, of a day and of a week, in base units. */
  dayUsdt: bigint
  weekUsdt: bigint
  /** The first observation of the pair, as far as it is kept: a little more than a week. */
  since: Date
  weekAgo: Summed
}

const factsRow = z.object({
  asset: z.enum(['JU', 'HASH']),
  block_number: z.bigint(),
  at: z.date(),
  pair: z.string(),
  asset_reserve: z.bigint(),
  usdt_reserve: z.bigint(),
  cumulative: z.bigint(),
  short_block: z.bigint(),
  short_at: z.date(),
  short_cumulative: z.bigint(),
  window_block: z.bigint(),
  window_at: z.date(),
  window_cumulative: z.bigint(),
  day_block: z.bigint(),
  day_at: z.date(),
  day_cumulative: z.bigint(),
  reference_price: z.bigint(),
  reference_since: z.date(),
  reference_halted_at: z.date().nullable(),
  median_5: z.bigint().nullable(),
  day_usdt: z.bigint().nullable(),
  week_usdt: z.bigint().nullable(),
  since: z.date().nullable(),
  week_at: z.date().nullable(),
  week_cumulative: z.bigint().nullable(),
})

/** By asset; nothing for an asset that was not observed yet. Each figure is one step in an index. */
export async function readFacts(db: Database): Promise<Map<PricedAsset, Facts>> {
  const rows = await queryRows(
    db,
    factsRow,
    sql`
    select latest.asset, latest.block_number, latest.at, latest.pair, latest.asset_reserve, latest.usdt_reserve,
      latest.cumulative,
      short_base.block_number as short_block, window_base.block_number as window_block, day_base.block_number as day_block,
      short_base.at as short_at, short_base.cumulative as short_cumulative,
      window_base.at as window_at, window_base.cumulative as window_cumulative,
      day_base.at as day_at, day_base.cumulative as day_cumulative,
      reference.price as reference_price, reference.since as reference_since, reference.halted_at as reference_halted_at,
      measure.median_5, measure.day_usdt, measure.week_usdt, measure.since, measure.week_at, measure.week_cumulative
    from unnest(array['JU', 'HASH']) as wanted (asset)
    join price_reference reference on reference.asset = wanted.asset
    left join price_measure measure on measure.asset = wanted.asset
    cross join lateral (
      select * from price_observation where asset = wanted.asset order by at desc limit 1
    ) as latest
    cross join lateral ${baseAt(secondsAgo(SHORT_WINDOW_S))} as short_base
    cross join lateral ${baseAt(secondsAgo(WINDOW_S))} as window_base
    cross join lateral ${baseAt(sql`greatest(reference.since, ${secondsAgo(DAY_S)})`)} as day_base`,
  )
  return new Map(rows.map((row) => [row.asset, factsOf(row)]))
}

const secondsAgo = (seconds: bigint) => sql`latest.at - make_interval(secs => ${Number(seconds)})`

/** The last observation at or before that time, or else the first one there is. */
const baseAt = (time: RawBuilder<unknown>) => sql`(
  select at, cumulative, block_number from (
    (select at, cumulative, block_number from price_observation where asset = latest.asset and at <= ${time} order by at desc limit 1)
    union all
    (select at, cumulative, block_number from price_observation where asset = latest.asset order by at limit 1)
  ) as candidates order by at desc limit 1
)`

const factsOf = (row: z.output<typeof factsRow>): Facts => ({
  latest: {
    at: row.at,
    assetReserve: row.asset_reserve,
    usdtReserve: row.usdt_reserve,
    cumulative: row.cumulative,
    pair: row.pair,
    blockNumber: row.block_number,
  },
  fiveMinutesAgo: { at: row.short_at, cumulative: row.short_cumulative, blockNumber: row.short_block },
  halfHourAgo: { at: row.window_at, cumulative: row.window_cumulative, blockNumber: row.window_block },
  dayAgo: { at: row.day_at, cumulative: row.day_cumulative, blockNumber: row.day_block },
  reference: { price: row.reference_price, since: row.reference_since, haltedAt: row.reference_halted_at },
  measure: measureOf(row),
})

function measureOf(row: z.output<typeof factsRow>): Measure | null {
  const { day_usdt, week_usdt, since, week_at, week_cumulative } = row
  if (day_usdt === null || week_usdt === null || since === null || week_at === null || week_cumulative === null)
    return null
  const weekAgo = { at: week_at, cumulative: week_cumulative }
  return { median5: row.median_5, dayUsdt: day_usdt, weekUsdt: week_usdt, since, weekAgo }
}

export async function writeReference(tx: Tx, asset: PricedAsset, { price, since, haltedAt }: Reference): Promise<void> {
  await tx
    .updateTable('price_reference')
    .set({ price, since, halted_at: haltedAt })
    .where('asset', '=', asset)
    .execute()
}
