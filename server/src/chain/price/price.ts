import type { AssetCode } from '@candela/protocol/money/assets'
import { mulDivUp, fromBaseUnits } from '@candela/protocol/money/money'
import { WHOLE_UNIT } from '@candela/protocol/units'
import type { Database } from '../../db/open.ts'
import { createBatcher } from '../../kernel/batcher.ts'
import type { ValueInUsdt } from '../crediting/confirmations.ts'
import { averagePrice, DAY_S, deviates, spotPrice, unixSeconds } from './average-price.ts'
import { type Facts, type PricedAsset, readFacts } from './facts.ts'
import { filledAverage, HALT_BPS } from './reference.ts'
import type { Data } from '@candela/protocol/endpoints'

const text = (amount: bigint | null) => (amount === null ? null : fromBaseUnits(amount))

/** A price as endpoints give it: everything that it takes to recompute it from the pair on chain. */
export function describePrice(price: Price): Data<'GET user/priceInfo'>['items'][number] {
  return {
    asset: price.asset,
    average: text(price.average),
    spot: text(price.spot),
    dayAverage: text(price.dayAverage),
    windowSeconds: price.windowSeconds,
    pair: price.pair,
    blockNumber: price.blockNumber === null ? null : Number(price.blockNumber),
    observedAt: price.observedAt?.toISOString() ?? null,
    paused: price.paused,
    pauseReason: price.pauseReason,
  }
}

/** The price is paused when spot is further from the average than this: 10 %. */
export const TOLERANCE_BPS = 1_000n
/** Older than this, by its block's own time, the last observation pauses the price. In seconds. */
export const STALE_AFTER_S = 5 * 60
/** One whole unit of USDT, which is the unit of account: its price by definition. */
export const WHOLE_USDT = WHOLE_UNIT

/**
 * Why a price cannot be used now. `deviation` ends by itself; `halted` ends when the price is back where it was, or an
 * operator resumes it.
 */
export type PauseReason = 'none' | 'noObservation' | 'stale' | 'deviation' | 'halted'

/** Prices are USDT base units per whole unit of the asset. */
export type Price = {
  asset: AssetCode
  /** Over `windowSeconds`; the spot price while there is one observation only. Null before the first. */
  average: bigint | null
  /** Over five minutes, or what there is since the first observation. */
  average5: bigint | null
  /** The median of five minutes: a price has to be held for half of that time to be it. */
  median5: bigint | null
  spot: bigint | null
  /** Over a day. While the price is halted, as it was before. */
  dayAverage: bigint | null
  /** Over a week, or what there is since the first observation of the pair. */
  weekAverage: bigint | null
  windowSeconds: number
  /** Blocks of the observations with which the averages of five minutes, half an hour and a day begin. Null where there is no observation. */
  windowBlocks: WindowBlocks | null
  /** Null for USDT. */
  pair: string | null
  /**
   * The base of the desk's hourly limit, in USDT base units: what the pair held in nine tenths of the last day, at most what it holds
   * now. Null for USDT, and before the first observation.
   */
  liquidity: bigint | null
  /** The base of the limits of lending and sales. Null for USDT, and before the first observation. */
  depth: Depth | null
  /** The block of the last observation. */
  blockNumber: bigint | null
  /** That block's own time. */
  observedAt: Date | null
  paused: boolean
  pauseReason: PauseReason
}

export type WindowBlocks = { minutes5: bigint; minutes30: bigint; day: bigint }

/** How much USDT a pair held in nine tenths of the last week, in base units, and since when it is observed. */
export type Depth = { usdt: bigint; since: Date }

export type Prices = Readonly<Record<AssetCode, Price>>

/** All prices as of now. Reads only. */
export async function readPrices(db: Database, now: Date): Promise<Prices> {
  return pricesFrom(await readFacts(db), now)
}

function pricesFrom(facts: ReadonlyMap<PricedAsset, Facts>, now: Date): Prices {
  const priceOf = (asset: PricedAsset) => priceFrom(asset, facts.get(asset), now)
  return { USDT: unitOfAccount, JU: priceOf('JU'), HASH: priceOf('HASH') }
}

/**
 * As `readPrices`, for what many ask at once: those who wait together share one statement. Each gets what was read after it
 * asked, as of its own time.
 */
export function sharedPrices(db: Database): (now: Date) => Promise<Prices> {
  return createBatcher(
    async (times: readonly Date[]) => {
      const facts = await readFacts(db)
      return times.map((now) => pricesFrom(facts, now))
    },
    { maxBatch: 1_000 },
  )
}

const unitOfAccount: Price = {
  asset: 'USDT',
  average: WHOLE_USDT,
  average5: WHOLE_USDT,
  median5: WHOLE_USDT,
  spot: WHOLE_USDT,
  dayAverage: WHOLE_USDT,
  weekAverage: WHOLE_USDT,
  windowSeconds: 0,
  windowBlocks: null,
  pair: null,
  liquidity: null,
  depth: null,
  blockNumber: null,
  observedAt: null,
  paused: false,
  pauseReason: 'none',
}

/** The price that follows from what was observed, as of now. */
export function priceFrom(asset: PricedAsset, facts: Facts | undefined, now: Date): Price {
  if (facts === undefined) {
    return { ...unitOfAccount, ...unobserved, asset, paused: true, pauseReason: 'noObservation' }
  }
  const { latest, halfHourAgo, fiveMinutesAgo, dayAgo, reference, measure } = facts
  const spot = spotPrice(latest)
  const average = averagePrice(halfHourAgo, latest) ?? spot
  const dayAverage =
    reference.haltedAt === null ? filledAverage(dayAgo, latest, DAY_S, reference.price) : reference.price
  const pauseReason = whyPaused({ stale: isStale(latest.at, now), reference, average, dayAverage, spot })
  return {
    asset,
    average,
    average5: averagePrice(fiveMinutesAgo, latest) ?? spot,
    median5: measure?.median5 ?? null,
    spot,
    dayAverage,
    weekAverage: measure === null ? null : (averagePrice(measure.weekAgo, latest) ?? spot),
    windowSeconds: Number(unixSeconds(latest.at) - unixSeconds(halfHourAgo.at)),
    windowBlocks: {
      minutes5: fiveMinutesAgo.blockNumber,
      minutes30: halfHourAgo.blockNumber,
      day: dayAgo.blockNumber,
    },
    pair: latest.pair,
    liquidity: measure === null ? 0n : lower(measure.dayUsdt, latest.usdtReserve),
    depth: measure === null ? null : { usdt: measure.weekUsdt, since: measure.since },
    blockNumber: latest.blockNumber,
    observedAt: latest.at,
    paused: pauseReason !== 'none',
    pauseReason,
  }
}

const unobserved = { average: null, average5: null, median5: null, spot: null, dayAverage: null, weekAverage: null }

const lower = (one: bigint, other: bigint): bigint => (one < other ? one : other)

/** By the block's own time: a node that stands still has no current price, however often it is asked. */
function isStale(at: Date, now: Date): boolean {
  // A block from the future is as bad: its price would stay current for as long as it is ahead.
  return Math.abs(now.getTime() - at.getTime()) > STALE_AFTER_S * 1000
}

type Compared = Pick<Facts, 'reference'> & { stale: boolean; average: bigint; dayAverage: bigint; spot: bigint }

function whyPaused({ stale, reference, average, dayAverage, spot }: Compared): PauseReason {
  if (stale) return 'stale'
  if (reference.haltedAt !== null) return 'halted'
  const hasLeft = deviates(spot, average, TOLERANCE_BPS) || deviates(average, dayAverage, HALT_BPS)
  return hasLeft ? 'deviation' : 'none'
}

/** Averages of what collateral is worth, also while they are paused: it only counts for what it is worth. */
export async function readAverages(db: Database, now: Date): Promise<Record<PricedAsset, bigint | null>> {
  const { JU, HASH } = await readPrices(db, now)
  return { JU: JU.average, HASH: HASH.average }
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
