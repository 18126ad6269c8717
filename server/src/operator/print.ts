/** The result of a command: one thing or a list of things. Amounts are texts in whole units already. */
export type Line = Readonly<Record<string, unknown>>
export type Output = Line | readonly Line[]

/** For programs: ids are texts, because they may not fit a JSON number. */
export function asJson(output: Output): string {
  const text = JSON.stringify(output, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value), 2)
  return `${text}\n`
}

/** For people: one field a line, or a table with one thing a line. */
export function asText(output: Output): string {
  if (!isList(output)) {
    const width = Math.max(...Object.keys(output).map((key) => key.length))
    return Object.entries(output)
      .map(([key, value]) => `${key.padEnd(width)}  ${cell(value)}\n`)
      .join('')
  }
  const [first] = output
  if (first === undefined) return 'none\n'
  const keys = Object.keys(first)
  const rows = [keys, ...output.map((line) => keys.map((key) => cell(line[key])))]
  const widths = keys.map((_key, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  return rows
    .map(
      (row) =>
        `${row
          .map((text, column) => text.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}

const isList = (output: Output): output is readonly Line[] => Array.isArray(output)

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'bigint') return String(value)
  // A line break in a note would break the table.
  return typeof value === 'string' ? value.replaceAll(/\s+/g, ' ') : JSON.stringify(value)
}
