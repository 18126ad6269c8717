import { DAY_MS } from '@candela/protocol/units'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Tx } from '../../db/open.ts'
import { queryRows } from '../../db/query-rows.ts'
import { medianPrice, SHORT_WINDOW_S, spotPrice, type Observation, WEEK_S } from './average-price.ts'
import type { PricedAsset } from './facts.ts'

type Observed = Observation & { asset: PricedAsset; pair: string }

/** A little more than the week that is looked back to. */
const KEPT_MS = 8 * DAY_MS

/**
 * Writes down what follows from an observation that was just kept and from those before it: the quarter of an hour, the
 * median price of five minutes, and how much USDT the pair held most of the time. From the observations that are left: a
 * reorganisation may have taken some back.
 */
export async function measurePair(tx: Tx, observation: Observed): Promise<void> {
  await keepQuarter(tx, observation)
  const median = await readMedian(tx, observation)
  const { asset, at } = observation
  const weekAgo = sql`${at}::timestamptz - make_interval(secs => ${Number(WEEK_S)})`
  await sql`
    insert into price_measure (asset, median_5, day_usdt, week_usdt, since, week_at, week_cumulative)
    select ${asset}, ${median},
      percentile_disc(0.1) within group (order by usdt) filter (where quarter > ${at}::timestamptz - interval '1 day'),
      percentile_disc(0.1) within group (order by usdt) filter (where quarter > ${weekAgo}),
      min(at), coalesce(max(at) filter (where at <= ${weekAgo}), min(at)),
      coalesce((array_agg(cumulative order by at desc) filter (where at <= ${weekAgo}))[1], (array_agg(cumulative order by at))[1])
    from pair_quarter where asset = ${asset}
    on conflict (asset) do update set median_5 = excluded.median_5, day_usdt = excluded.day_usdt, week_usdt = excluded.week_usdt,
      since = excluded.since, week_at = excluded.week_at, week_cumulative = excluded.week_cumulative`.execute(tx)
}

/** The amount that a pair held counts until the next observation. */
async function keepQuarter(tx: Tx, { asset, pair, at }: Observed): Promise<void> {
  const quarter = sql`date_bin('15 minutes', ${at}::timestamptz, timestamptz 'epoch')`
  await sql`
    insert into pair_quarter (asset, quarter, pair, at, cumulative, usdt)
    select ${asset}, ${quarter}, ${pair}, min(at), (array_agg(cumulative order by at))[1],
      case when sum(seconds) > 0 then greatest(1, div(sum(usdt_reserve * seconds), sum(seconds))) else min(usdt_reserve) end
    from (
      select at, cumulative, usdt_reserve,
        coalesce(extract(epoch from lead(at) over (order by at) - at)::bigint, 0) as seconds
      from price_observation where asset = ${asset} and at >= ${quarter} and at <= ${at}
    ) as observed
    on conflict (asset, quarter) do update set pair = excluded.pair, at = excluded.at, cumulative = excluded.cumulative,
      usdt = excluded.usdt`.execute(tx)
  await tx
    .deleteFrom('pair_quarter')
    .where('asset', '=', asset)
    .where((where) =>
      where.or([
        where('quarter', '>', at),
        where('quarter', '<', new Date(at.getTime() - KEPT_MS)),
        where('pair', '!=', pair),
      ]),
    )
    .execute()
}

const summedRow = z.object({ at: z.date(), cumulative: z.bigint() })

async function readMedian(tx: Tx, observation: Observed): Promise<bigint> {
  const { asset, at } = observation
  const begin = new Date(at.getTime() - Number(SHORT_WINDOW_S) * 1_000)
  const observed = await queryRows(
    tx,
    summedRow,
    sql`
    select at, cumulative from price_observation
    where asset = ${asset} and at <= ${at} and at >= coalesce(
      (select max(at) from price_observation where asset = ${asset} and at <= ${begin}), ${begin})
    order by at`,
  )
  return medianPrice(observed, begin) ?? spotPrice(observation)
}
