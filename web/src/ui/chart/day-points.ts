/** Finer than any pixel; the figures themselves stay exact. */
const STEPS = 1_000n

export type Point = { x: number; y: number }

type Size = {
  width: number
  height: number
  /** The value at the lower edge; the lowest value without it. */
  lowest?: bigint
}

/** Where each value stands in a picture of this size: the oldest at the left, the highest at the top. A constant value lies in the middle. */
export function dayPoints(values: readonly bigint[], { width, height, lowest: given }: Size): Point[] {
  const lowest = values.reduce((least, value) => (value < least ? value : least), given ?? values[0] ?? 0n)
  const highest = values.reduce((most, value) => (value > most ? value : most), lowest)
  const range = highest - lowest
  const across = Math.max(1, values.length - 1)
  return values.map((value, nth) => ({
    x: (nth / across) * width,
    y: range === 0n ? height / 2 : height - (Number(((value - lowest) * STEPS) / range) / Number(STEPS)) * height,
  }))
}
