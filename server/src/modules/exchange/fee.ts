/** Percent off the fee at the levels V0 to V5. */
const DISCOUNTS = [0, 5, 10, 15, 20, 25] as const

export type Fee = { basePpm: number; level: number; discount: number; feePpm: number }

/** The fee of a level in millionths, rounded up. @param basePpm before any discount */
export function feeAt(basePpm: number, level: number): Fee {
  const discount = DISCOUNTS[Math.min(level, DISCOUNTS.length - 1)] ?? 0
  return { basePpm, level, discount, feePpm: Math.ceil((basePpm * (100 - discount)) / 100) }
}
