/** A price of the past, in base units; `at` in milliseconds since 1970. */
export type PastPrice = { at: number; price: bigint; lowest: bigint; highest: bigint }

type Point = { x: number; y: number }

/** Finer than any pixel. */
const STEPS = 10_000n

/** Where everything stands in a picture of 100 by 100, its origin above on the left. */
export type PriceLines = {
  prices: Point[]
  /** Around every price that was seen between two points: the highest ones there, the lowest ones back. */
  range: Point[]
  safety: number | null
  clearing: number
  now: number
}

/**
 * Prices of the last days with the lines that they must stay above, on one scale that holds all of them with a tenth to
 * spare. The figures themselves stay exact.
 */
export function priceLines(
  past: readonly PastPrice[],
  { price, safety, clearing }: { price: bigint; safety: bigint | null; clearing: bigint },
): PriceLines {
  const all = [price, clearing, safety ?? clearing, ...past.flatMap(({ lowest, highest }) => [lowest, highest])]
  const least = all.reduce((low, each) => (each < low ? each : low))
  const most = all.reduce((high, each) => (each > high ? each : high))
  const spare = (most - least) / 10n + 1n
  const [bottom, top] = [least - spare, most + spare]
  const y = (value: bigint) => Number(((top - value) * STEPS) / (top - bottom)) / 100
  const [from, to] = [past[0]?.at ?? 0, past.at(-1)?.at ?? 0]
  const x = (at: number) => (to === from ? 100 : ((at - from) / (to - from)) * 100)
  return {
    prices: past.map((each) => ({ x: x(each.at), y: y(each.price) })),
    range: [
      ...past.map((each) => ({ x: x(each.at), y: y(each.highest) })),
      ...past.map((each) => ({ x: x(each.at), y: y(each.lowest) })).toReversed(),
    ],
    safety: safety === null ? null : y(safety),
    clearing: y(clearing),
    now: y(price),
  }
}
