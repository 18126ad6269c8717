import { averagePrice, deviates, type Observation, unixSeconds } from './average-price.ts'

/** The price is halted when the average of half an hour is further than this from the average of a day: 20 %. */
export const HALT_BPS = 2_000n
/** A halted price resumes by itself within this distance of its reference: 10 %. */
export const RETURN_BPS = 1_000n

/** The reference fills the average of a day where there are no observations. Prices are USDT base units per whole unit. */
export type Reference = {
  price: bigint
  /** The average of a day uses no observation before this time; `price` counts there. */
  since: Date
  /** Null while the price is in use. */
  haltedAt: Date | null
}

type Summed = Pick<Observation, 'at' | 'cumulative'>

/**
 * The average over `window_s` seconds that end with `later`. Where the observations begin within the window, at
 * `earlier`, the reference counts for the part before. So a push moves the average of a price that has been observed
 * for minutes no further than that of an old one.
 */
export function filledAverage(earlier: Summed, later: Summed, window_s: bigint, reference: bigint): bigint {
  const observed = averagePrice(earlier, later)
  if (observed === null) return reference
  const seconds = unixSeconds(later.at) - unixSeconds(earlier.at)
  if (seconds >= window_s) return observed
  return (observed * seconds + reference * (window_s - seconds)) / window_s
}

export type Seen = {
  /** The time of the last observation's block. */
  at: Date
  spot: bigint
  /** The averages of half an hour and of a day, both filled with the reference. */
  average: bigint
  dayAverage: bigint
}

/**
 * The reference after an observation. A price that leaves the average of its day is halted, and that average is kept.
 * It resumes by itself only close to where it was; at any other price an operator has to confirm it.
 */
export function nextReference(reference: Reference, { at, spot, average, dayAverage }: Seen): Reference {
  if (reference.haltedAt === null) {
    return deviates(average, dayAverage, HALT_BPS) ? { price: dayAverage, since: at, haltedAt: at } : reference
  }
  const isBack = !deviates(spot, reference.price, RETURN_BPS) && !deviates(average, reference.price, RETURN_BPS)
  // Prices that were observed during the halt are part of the push, so the average of a day begins anew.
  return isBack ? { ...reference, since: at, haltedAt: null } : reference
}
