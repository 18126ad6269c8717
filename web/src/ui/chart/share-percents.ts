/** A thousand tenths of a percent. */
const WHOLE = 1_000n

/**
 * The share of each part in tenths of a percent, so that all together are exactly 100 %: what rounding down leaves over goes to
 * those that it took most from.
 * @param values none negative, at least one above zero
 */
export function sharePercents(values: readonly bigint[]): bigint[] {
  const whole = values.reduce((sum, value) => sum + value, 0n)
  const shares = values.map((value) => (value * WHOLE) / whole)
  const missing = Number(WHOLE - shares.reduce((sum, share) => sum + share, 0n))
  const byRemainder = values
    .map((value, index) => ({ index, remainder: (value * WHOLE) % whole }))
    .toSorted((one, other) => (one.remainder === other.remainder ? 0 : one.remainder < other.remainder ? 1 : -1))
  const raised = new Set(byRemainder.slice(0, missing).map(({ index }) => index))
  return shares.map((share, index) => (raised.has(index) ? share + 1n : share))
}
