/** Every measurement does this with its figures: the middle of them, how far they lie apart, and a line of text. */

export const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** The value that `part` of all lie below; NaN of none. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

export const median = (values: readonly number[]): number => percentile(values, 0.5)

/** The median, and in brackets the least and the most. */
export const spread = (values: readonly number[], digits = 2): string =>
  `${median(values).toFixed(digits)} (${Math.min(...values).toFixed(digits)} to ${Math.max(...values).toFixed(digits)})`

export async function seconds(work: () => Promise<unknown>): Promise<number> {
  const start = process.hrtime.bigint()
  await work()
  return Number(process.hrtime.bigint() - start) / 1e9
}
