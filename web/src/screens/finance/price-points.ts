/** Finer than any pixel; the prices themselves stay exact. */
const STEPS = 1_000n

export type Point = { x: number; y: number }

/** Where each price stands in a picture of this size: the oldest at the left, the highest at the top. A constant price lies in the middle. */
export function pricePoints(prices: readonly bigint[], { width, height }: { width: number; height: number }): Point[] {
  const lowest = prices.reduce((least, price) => (price < least ? price : least), prices[0] ?? 0n)
  const highest = prices.reduce((most, price) => (price > most ? price : most), lowest)
  const range = highest - lowest
  const across = Math.max(1, prices.length - 1)
  return prices.map((price, nth) => ({
    x: (nth / across) * width,
    y: range === 0n ? height / 2 : height - (Number(((price - lowest) * STEPS) / range) / Number(STEPS)) * height,
  }))
}
