import { averagePrice, deviates, type Observation, unixSeconds } from './average-price.ts'

/** Further away from the average of a day, the average of half an hour halts the price: 20 %. */
export const HALT_BPS = 2_000n
/** As close to its reference, a halted price resumes by itself: 10 %. */
export const RETURN_BPS = 1_000n

/** What the average of a day is made of where there are no observations. Prices are USDT base units per whole unit. */
export type Reference = {
  price: bigint
  /** Averages of a day reach no further back: before it, `price` counts. */
  since: Date
  /** Null while the price is in use. */
  haltedAt: Date | null
}

type Summed = Pick<Observation, 'at' | 'cumulative'>

/**
 * The average over `window_s` seconds that end with `later`. For the part of them before `earlier` the reference counts, so
 * that whoever pushes a price that was observed for minutes only moves its average no further than that of an old one.
 */
export function filledAverage(earlier: Summed, later: Summed, window_s: bigint, reference: bigint): bigint {
  const observed = averagePrice(earlier, later)
  if (observed === null) return reference
  const seconds = unixSeconds(later.at) - unixSeconds(earlier.at)
  if (seconds >= window_s) return observed
  return (observed * seconds + reference * (window_s - seconds)) / window_s
}

export type Seen = {
  /** Of the last observation's block. */
  at: Date
  spot: bigint
  /** Of half an hour and of a day, both filled with the reference. */
  average: bigint
  dayAverage: bigint
}

/**
 * What becomes of the reference with an observation. A price that leaves its day is halted, and the day's average is kept as
 * it was. It resumes by itself only where it was: at any other price an operator has to say that the price is true.
 */
export function nextReference(reference: Reference, { at, spot, average, dayAverage }: Seen): Reference {
  if (reference.haltedAt === null) {
    return deviates(average, dayAverage, HALT_BPS) ? { price: dayAverage, since: at, haltedAt: at } : reference
  }
  const isBack = !deviates(spot, reference.price, RETURN_BPS) && !deviates(average, reference.price, RETURN_BPS)
  // What was averaged meanwhile is part of the push: the day begins anew.
  return isBack ? { ...reference, since: at, haltedAt: null } : reference
}
