/**
 * Array literals of Postgres. The driver's own way quotes every element and took a third of the time of what writes many
 * rows.
 */

/**
 * `text` returns null, a number, or a text without comma, brace, quote, backslash or space; any other text goes through
 * `quoteElement`.
 */
export function arrayLiteral<T>(items: readonly T[], text: (item: T) => string | number | bigint | null): string {
  return `{${items.map((item) => text(item) ?? 'null').join(',')}}`
}

/** Any text as an element. */
export function quoteElement(text: string): string {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`
}
