import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { root, tracked } from '../rules/source-files.ts'

/** Breaks lines of documents that are longer than 160 characters: `npx node scripts/wrap-documents.ts`. Tables and code stay. */

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

function wrapLine(line: string): string[] {
  if (line.length <= LINE_CHARS || /^[|#]/.test(line)) return [line]
  const indent = /^ *(?:[-*+] |\d+[.)] )?/.exec(line)?.[0].length ?? 0
  const at = lastBreak(line, indent)
  if (at < 0) return [line]
  return [line.slice(0, at), ...wrapLine(' '.repeat(indent) + line.slice(at + 1))]
}

for (const file of tracked.filter((name) => name.endsWith('.md'))) {
  const document = readFileSync(path.join(root, file), 'utf8')
  let isCode = false
  const lines = document.split('\n').flatMap((line) => {
    if (/^ *(?:```|~~~)/.test(line)) isCode = !isCode
    return isCode ? [line] : wrapLine(line)
  })
  const wrapped = lines.join('\n')
  if (wrapped !== document) writeFileSync(path.join(root, file), wrapped)
}
