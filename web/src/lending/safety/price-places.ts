import { toBaseUnits } from '@candela/protocol/money/money'

/** Finer than any pixel. */
const STEPS = 10_000n

/** Where a part of a whole lies, in percent for a style sheet; never outside of the picture. The figures themselves stay exact. */
export const percentOf = (part: bigint, whole: bigint): number => {
  if (whole <= 0n || part <= 0n) return 0
  return part >= whole ? 100 : Number((part * STEPS) / whole) / 100
}

export type PricePlaces = { price: number; safety: number; clearing: number }

/** Where a price and the prices at both lines stand on an axis from zero to a little above the highest of them, in percent. */
export function pricePlaces(prices: {
  price: string
  safetyPrice: string | null
  liquidationPrice: string
}): PricePlaces {
  const price = toBaseUnits(prices.price)
  const clearing = toBaseUnits(prices.liquidationPrice)
  const safety = prices.safetyPrice === null ? clearing : toBaseUnits(prices.safetyPrice)
  const highest = [price, clearing, safety].reduce((most, each) => (each > most ? each : most))
  const top = (highest * 115n) / 100n
  return { price: percentOf(price, top), safety: percentOf(safety, top), clearing: percentOf(clearing, top) }
}
