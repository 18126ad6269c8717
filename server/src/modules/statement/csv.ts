/** Cells to lines of a CSV file as RFC 4180 has it, each line ended by CRLF. */
export function csvLines(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('')
}

/**
 * Spreadsheets run what begins like a formula, even inside quotes. An apostrophe in front makes it a text; a plain
 * number keeps its sign.
 */
function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r\n]/.test(text) && !/^-?[0-9]+(\.[0-9]+)?$/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
