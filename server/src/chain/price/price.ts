import { uniswapV2PairAbi } from '@candela/protocol/abi/uniswap-v2'
import type { AssetCode } from '@candela/protocol/money/assets'
import { mulDivUp } from '@candela/protocol/money/money'
import { WHOLE_UNIT } from '@candela/protocol/units'
import { sql } from 'kysely'
import { queryRows } from '../../db/query-rows.ts'
import { z } from 'zod'
import type { Hex } from 'viem'
import { type Database, transaction, type Tx } from '../../db/open.ts'
import { averagePrice, broughtForward, deviates, type Observation, spotPrice, unixSeconds } from './average-price.ts'
import { ask, type ChainClient, RpcError } from '../client.ts'
import type { ValueInUsdt } from '../credit/confirmations.ts'

/** Averages cover this long, or what there is since the first observation. */
export const WINDOW_S = 30 * 60
/** An older last observation pauses the price. */
export const STALE_AFTER_S = 5 * 60
/** Spot further away from the average pauses the price: 10 %. */
export const TOLERANCE_BPS = 1_000n
/** One whole unit of USDT, which is the unit of account: its price by definition. */
export const WHOLE_USDT = WHOLE_UNIT

/** Why a price cannot be used now. */
export type PauseReason = 'none' | 'noObservation' | 'stale' | 'deviation'

/** Prices are USDT base units per whole unit of the asset. */
export type Price = {
  asset: AssetCode
  /** Over `windowSeconds`; the spot price while there is one observation only. Null before the first. */
  average: bigint | null
  spot: bigint | null
  windowSeconds: number
  /** Null for USDT. */
  pair: string | null
  /** Of the last observation. */
  blockNumber: bigint | null
  /** That block's own time. */
  observedAt: Date | null
  paused: boolean
  pauseReason: PauseReason
}

export type Prices = Readonly<Record<AssetCode, Price>>

/** A pair of the asset (for JU its wrapped token) with USDT, and the token that stands for the asset. */
export type PricedPair = { asset: Exclude<AssetCode, 'USDT'>; token: Hex; pair: Hex }

export type ObserveDeps = { db: Database; client: ChainClient; pairs: readonly PricedPair[] }

/**
 * Looks at the pairs at the newest block, all at the same one, and keeps what they say. Run it every few seconds.
 * A pair without liquidity is left out; its price goes stale.
 * @throws RpcError
 */
export async function observePrices(deps: ObserveDeps): Promise<void> {
  const block = await ask('latest block', () => deps.client.getBlock())
  const observations = await Promise.all(deps.pairs.map((pair) => observePair(deps.client, pair, block)))
  await transaction(deps.db, async (tx) => {
    for (const observation of observations) if (observation !== null) await keep(tx, observation)
  })
}

type NewObservation = Observation & { asset: AssetCode; pair: string; blockNumber: bigint }

async function observePair(
  client: ChainClient,
  { asset, token, pair }: PricedPair,
  block: { number: bigint; timestamp: bigint },
): Promise<NewObservation | null> {
  const call = { address: pair, abi: uniswapV2PairAbi, blockNumber: block.number } as const
  const [token0, token1, reserves, cumulative0, cumulative1] = await ask(`pair ${pair}`, () =>
    Promise.all([
      client.readContract({ ...call, functionName: 'token0' }),
      client.readContract({ ...call, functionName: 'token1' }),
      client.readContract({ ...call, functionName: 'getReserves' }),
      client.readContract({ ...call, functionName: 'price0CumulativeLast' }),
      client.readContract({ ...call, functionName: 'price1CumulativeLast' }),
    ]),
  )
  const isFirst = token0.toLowerCase() === token
  if (!isFirst && token1.toLowerCase() !== token) throw new RpcError('badAnswer', `pair ${pair} does not hold ${token}`)
  const [reserve0, reserve1, lastUpdate_s] = reserves
  const [assetReserve, usdtReserve] = isFirst ? [reserve0, reserve1] : [reserve1, reserve0]
  if (assetReserve === 0n || usdtReserve === 0n) return null
  const state = {
    assetReserve,
    usdtReserve,
    cumulativeLast: isFirst ? cumulative0 : cumulative1,
    lastUpdate_s: BigInt(lastUpdate_s),
  }
  return {
    asset,
    pair,
    blockNumber: block.number,
    at: new Date(Number(block.timestamp) * 1000),
    assetReserve,
    usdtReserve,
    cumulative: broughtForward(state, block.timestamp),
  }
}

/** Keeps a observation, and with it a line of observations that only goes forward: a reorganisation may have taken later ones back. */
async function keep(tx: Tx, observation: NewObservation): Promise<void> {
  await tx
    .deleteFrom('price_observation')
    .where('asset', '=', observation.asset)
    .where((where) =>
      where.or([
        where('block_number', '>=', observation.blockNumber),
        where('at', '>=', observation.at),
        // Another pair's sum has nothing to do with this one's.
        where('pair', '!=', observation.pair),
      ]),
    )
    .execute()
  await tx
    .insertInto('price_observation')
    .values({
      asset: observation.asset,
      block_number: observation.blockNumber,
      at: observation.at,
      pair: observation.pair,
      asset_reserve: observation.assetReserve,
      usdt_reserve: observation.usdtReserve,
      cumulative: observation.cumulative,
    })
    .execute()
  await prune(tx, observation)
}

/** Forgets what is before the window, except for the last one there, from which the window's average is taken. */
async function prune(tx: Tx, { asset, at }: NewObservation): Promise<void> {
  await sql`
    delete from price_observation
    where asset = ${asset} and at < (
      select max(at) from price_observation where asset = ${asset} and at <= ${secondsBefore(at, WINDOW_S)}
    )`.execute(tx)
}

const secondsBefore = (at: Date, seconds: number): Date => new Date(at.getTime() - seconds * 1000)

const latestObservation = z.object({
  asset: z.enum(['JU', 'HASH']),
  block_number: z.bigint(),
  at: z.date(),
  pair: z.string(),
  asset_reserve: z.bigint(),
  usdt_reserve: z.bigint(),
  cumulative: z.bigint(),
  base_at: z.date(),
  base_cumulative: z.bigint(),
})
type LatestObservation = z.output<typeof latestObservation>

/** All prices as of now. Reads only; pauses and resumptions follow from the observations by themselves. */
export async function readPrices(db: Database, now: Date): Promise<Prices> {
  // The base is the last observation before the window, or else the first one there is.
  const rows = await queryRows(
    db,
    latestObservation,
    sql`
    select latest.*, base.at as base_at, base.cumulative as base_cumulative
    from unnest(array['JU', 'HASH']) as wanted (asset)
    cross join lateral (
      select * from price_observation where asset = wanted.asset order by at desc limit 1
    ) as latest
    cross join lateral (
      select at, cumulative from (
        (select at, cumulative from price_observation
          where asset = latest.asset and at <= latest.at - make_interval(secs => ${WINDOW_S}) order by at desc limit 1)
        union all
        (select at, cumulative from price_observation where asset = latest.asset order by at limit 1)
      ) as candidates order by at desc limit 1
    ) as base`,
  )
  const priceOf = (asset: Exclude<AssetCode, 'USDT'>) =>
    observedPrice(
      asset,
      rows.find((row) => row.asset === asset),
      now,
    )
  return { USDT: unitOfAccount, JU: priceOf('JU'), HASH: priceOf('HASH') }
}

const unitOfAccount: Price = {
  asset: 'USDT',
  average: WHOLE_USDT,
  spot: WHOLE_USDT,
  windowSeconds: 0,
  pair: null,
  blockNumber: null,
  observedAt: null,
  paused: false,
  pauseReason: 'none',
}

function observedPrice(asset: AssetCode, observation: LatestObservation | undefined, now: Date): Price {
  if (observation === undefined) {
    const nothing = { average: null, spot: null, windowSeconds: 0, pair: null, blockNumber: null, observedAt: null }
    return { asset, ...nothing, paused: true, pauseReason: 'noObservation' }
  }
  const spot = spotPrice({ assetReserve: observation.asset_reserve, usdtReserve: observation.usdt_reserve })
  const base = { at: observation.base_at, cumulative: observation.base_cumulative }
  const average = averagePrice(base, observation) ?? spot
  const isStale = now.getTime() - observation.at.getTime() > STALE_AFTER_S * 1000
  const pauseReason = isStale ? 'stale' : deviates(spot, average, TOLERANCE_BPS) ? 'deviation' : 'none'
  return {
    asset,
    average,
    spot,
    windowSeconds: Number(unixSeconds(observation.at) - unixSeconds(observation.base_at)),
    pair: observation.pair,
    blockNumber: observation.block_number,
    observedAt: observation.at,
    paused: pauseReason !== 'none',
    pauseReason,
  }
}

/** The average price, in USDT base units per whole unit; null while it is paused or unknown. */
export async function readUsablePrice(db: Database, asset: AssetCode, now: Date): Promise<bigint | null> {
  if (asset === 'USDT') return WHOLE_USDT
  const price = (await readPrices(db, now))[asset]
  return price.paused ? null : price.average
}

/** Values amounts at average prices, rounded up; null for an asset whose price cannot be used. */
export function valueAt(prices: Prices): ValueInUsdt {
  return (asset, amount) => {
    const { paused, average } = prices[asset]
    return paused || average === null ? null : mulDivUp(amount, average, WHOLE_USDT)
  }
}
