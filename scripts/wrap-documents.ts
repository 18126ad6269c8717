/** Breaks lines of documents that are longer than 160 characters: `npx node scripts/wrap-documents.ts`. Tables and code stay. */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { root, tracked } from '../tests/rules/support/source-files.ts'
import { showHelp } from './usage.ts'

showHelp(import.meta.filename)

const LINE_CHARS = 160
/** Begins a list, a heading, a quotation or a table, so that no line may begin with it by chance. */
const MARKER = /^(?:[-+*>#|]|\d+[.)](?: |$))/

/** The last blank at which a line may end: outside of code, and not before what Markdown takes for the beginning of something. */
function lastBreak(line: string, from: number): number {
  const blanks = [...line.matchAll(/ /g)].map(({ index }) => index)
  const inCode = (at: number) => (line.slice(0, at).split('`').length - 1) % 2 === 1
  const fits = blanks.filter(
    (at) => at > from && at <= LINE_CHARS && !inCode(at) && !MARKER.test(line.slice(at + 1).trimStart()),
  )
  return fits.at(-1) ?? -1
}

const indentOf = (line: string): number => /^ *(?:[-*+] |\d+[.)] )?/.exec(line)?.[0].length ?? 0
/** Goes on with the paragraph or list item of the line before. */
const goesOn = (line: string | undefined, indent: number): line is string =>
  line !== undefined && line.trim() !== '' && /^ */.exec(line)?.[0].length === indent && !MARKER.test(line.trimStart())

function wrapLines(lines: readonly string[]): string[] {
  const wrapped: string[] = []
  const rest = [...lines]
  let isCode = false
  for (let line = rest.shift(); line !== undefined; line = rest.shift()) {
    if (/^ *(?:```|~~~)/.test(line)) isCode = !isCode
    const isLong = line.length > LINE_CHARS && !isCode && !/^[|#]/.test(line)
    const indent = indentOf(line)
    const at = isLong ? lastBreak(line, indent) : -1
    if (at < 0) {
      wrapped.push(line)
      continue
    }
    wrapped.push(line.slice(0, at))
    const after = line.slice(at + 1)
    const next = goesOn(rest[0], indent) ? ` ${rest.shift()?.trimStart() ?? ''}` : ''
    rest.unshift(`${' '.repeat(indent)}${after}${next}`)
  }
  return wrapped
}

for (const file of tracked.filter((name) => name.endsWith('.md'))) {
  const document = readFileSync(path.join(root, file), 'utf8')
  const wrapped = wrapLines(document.split('\n')).join('\n')
  if (wrapped !== document) writeFileSync(path.join(root, file), wrapped)
}
