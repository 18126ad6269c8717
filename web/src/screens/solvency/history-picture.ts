import { toBaseUnits } from '@candela/protocol/money/money'
import { HOUR_MS, WHOLE_UNIT } from '@candela/protocol/units'

/** `at` in milliseconds since 1970, `ratio` as a fraction. */
export type Hour = { at: number; ratio: string }

type Point = { x: number; y: number }

/** Finer than any pixel. */
const STEPS = 10_000n
/** Drawn at the top: what matters is how far it is from 100 %. */
const TOP = 2n * WHOLE_UNIT

/** Where each hour stands in a picture of 100 by 100, its origin above on the left. */
export type HistoryPicture = {
  points: Point[]
  /** The points that are joined by a line: it ends where an hour had no comparison. */
  pieces: Point[][]
  /** Where 100 % is. */
  whole: number
}

const y = (ratio: bigint): number => Number(((TOP - (ratio > TOP ? TOP : ratio)) * STEPS) / TOP) / 100

/** From nothing at the bottom to 200 % and more at the top, over time. */
export function historyPicture(hours: readonly Hour[]): HistoryPicture {
  const [from, to] = [hours[0]?.at ?? 0, hours.at(-1)?.at ?? 0]
  const x = (at: number) => (to === from ? 100 : Math.round(((at - from) / (to - from)) * 10_000) / 100)
  const points = hours.map(({ at, ratio }) => ({ x: x(at), y: y(toBaseUnits(ratio)) }))
  const pieces: Point[][] = []
  for (const [nth, point] of points.entries()) {
    const gap = nth === 0 || hours[nth]!.at - hours[nth - 1]!.at > HOUR_MS
    if (gap) pieces.push([point])
    else pieces.at(-1)!.push(point)
  }
  return { points, pieces, whole: y(WHOLE_UNIT) }
}
