import { fromBaseUnits } from '../../money/money.ts'

/** Tables of docs/understand/lending.md, laid out as the formatter leaves them. */

/** Six decimals, rounded down. The computations have eighteen. */
export function amount(base: bigint): string {
  const [whole = '', fraction = ''] = fromBaseUnits(base).split('.')
  const shown = fraction.slice(0, 6).replace(/0+$/, '')
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')
  return shown === '' ? grouped : `${grouped}.${shown}`
}

/** Millionths as per cent: 501234 is "50.1234 %". */
export const percent = (ppm: bigint): string => `${fromBaseUnits(ppm, 4)} %`

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) => Math.max(3, ...[head, ...rows].map((row) => row[column]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}
