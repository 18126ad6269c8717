import { addDays } from '@candela/protocol/calendar'
import { type Random } from '../../../simulate/run/random.ts'
import { FIRST_DAY, type Rates, WHOLE } from '../lending-scenario.ts'
import type { DayPrice } from './loan-history.ts'

/** Random prices: they wander, and now and then they fall by half within a day. */

type Asset = 'JU' | 'HASH'
export type Market = Record<Asset, Map<string, Rates>>

/** In a hundred days. */
const CRASHES = 0.02

export function randomMarket(random: Random, days: number): Market {
  return { JU: randomPrices(random, days, 2_000), HASH: randomPrices(random, days, 500) }
}

function randomPrices(random: Random, days: number, start: number): Map<string, Rates> {
  const prices = new Map<string, Rates>()
  let price = start
  for (let nth = 0; nth <= days; nth += 1) {
    const change = random.chance(CRASHES) ? 450 + random.below(200) : 955 + random.below(92)
    // A price near its bounds turns back.
    const pulled = price < start / 4 ? 1_020 : price > start * 4 ? 980 : 1_000
    price = Math.max(20, Math.round((price * change * pulled) / 1_000_000))
    const near = () => Math.max(20, Math.round((price * (985 + random.below(31))) / 1_000))
    prices.set(addDays(FIRST_DAY, nth), { spot: price, average5: near(), average: near() })
  }
  return prices
}

/** The median of five minutes decides about the lines; the lower of spot and 30-minute average is paid, which are close to it here. */
export function dayPrice({ spot, average5, average }: Rates): DayPrice {
  return { watch: baseUnits(average5), sale: baseUnits(Math.min(spot, average)) }
}

const baseUnits = (thousandths: number): bigint => (BigInt(thousandths) * WHOLE) / 1_000n
