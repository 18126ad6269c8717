import { WHOLE_UNIT } from '@candela/protocol/units'
import type { UnknownRow } from 'kysely'
import type { Database } from '../../../db/open.ts'
import { withAnswers } from '../../../db/testing-answers.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { DAY_S, SHORT_WINDOW_S, WEEK_S, WINDOW_S } from '../average-price.ts'
import type { PricedAsset } from '../facts.ts'
import { STALE_AFTER_S } from '../price.ts'

const Q112 = 2n ** 112n
/** As if the pair had been observed for ages. */
const CUMULATIVE = 2n ** 240n

/** USDT base units per whole unit. What is absent is as `average`. */
export type FixedPrice = {
  average: bigint
  spot?: bigint
  /** And the median of the same time. */
  average5?: bigint
  day?: bigint
  week?: bigint
  /** The amount that the pair has held, in USDT base units; ten million when absent. */
  liquidity?: bigint
  /** Why it is paused. Also paused is what is too far from its averages. */
  is?: 'stale' | 'halted'
}

/** Null for an asset that was never observed. */
export type FixedPrices = Readonly<Record<PricedAsset, FixedPrice | null>>

/**
 * The same database, of which every reader of prices gets what `read` says, as if it was observed at the time of the clock. It answers
 * the one statement that reads observations, so that the rules for pauses and averages are the product's.
 */
export const withFixedPrices = (db: Database, read: () => FixedPrices, clock: Pick<Clock, 'now'>): Database =>
  withAnswers(db, 'reference.price as reference_price', () => {
    const now = clock.now()
    return Object.entries(read()).flatMap(([asset, price]) =>
      price === null ? [] : [rowOf(asset as PricedAsset, price, now)],
    )
  })

/** As the statement of `facts.ts` answers it. */
function rowOf(asset: PricedAsset, price: FixedPrice, now: Date): UnknownRow {
  const { average, is } = price
  const { spot = average, average5 = average, day = average, week = day, liquidity = 10_000_000n * WHOLE_UNIT } = price
  const at = is === 'stale' ? secondsBefore(now, BigInt(STALE_AFTER_S) + 1n) : now
  // So many whole units that the pair holds no less than its liquidity at this price.
  const units = liquidity / spot + 1n
  return {
    asset,
    block_number: 77n,
    at,
    pair: `0x${'aa'.repeat(20)}`,
    asset_reserve: units * WHOLE_UNIT,
    usdt_reserve: units * spot,
    cumulative: CUMULATIVE,
    ...baseOf('short', at, SHORT_WINDOW_S, average5),
    ...baseOf('window', at, WINDOW_S, average),
    ...baseOf('day', at, DAY_S, day),
    reference_price: day,
    reference_since: new Date(0),
    reference_halted_at: is === 'halted' ? at : null,
    median_5: average5,
    day_usdt: liquidity,
    week_usdt: liquidity,
    since: new Date(0),
    ...baseOf('week', at, WEEK_S, week),
  }
}

/** The observation with which a window begins over which the price was this. */
const baseOf = (name: string, at: Date, seconds: bigint, price: bigint) => ({
  [`${name}_at`]: secondsBefore(at, seconds),
  [`${name}_cumulative`]: CUMULATIVE - (price * seconds * Q112 + WHOLE_UNIT - 1n) / WHOLE_UNIT,
})

const secondsBefore = (at: Date, seconds: bigint): Date => new Date(at.getTime() - Number(seconds) * 1_000)
