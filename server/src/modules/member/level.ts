/** Units of active power at which levels V0 to V5 begin. */
const LEVEL_STARTS = [0, 10, 100, 500, 1_000, 5_000] as const

/** The membership level of an amount of active power, and where the next one begins (null at the highest). */
export function levelOf(activePower: number): { level: number; nextLevelAt: number | null } {
  const level = LEVEL_STARTS.findLastIndex((start) => activePower >= start)
  return { level, nextLevelAt: LEVEL_STARTS[level + 1] ?? null }
}
