import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** Documents that name tests: what they cite exists under the name that they cite. */

const root = path.join(import.meta.dirname, '../../..')
export const read = (file: string): string => readFileSync(path.join(root, file), 'utf8')

/** An item of a Markdown list, with the items of the list inside it. Lines that are wrapped are joined. */
type ListItem = { text: string; inside: string[] }

/** The items of the lists in a piece of Markdown. A list ends at a blank line. */
export function itemsOf(markdown: string): ListItem[] {
  return markdown
    .split(/^- /m)
    .slice(1)
    .map((part) => {
      const [item = ''] = part.split(/\n\s*\n/)
      const [text = '', ...inside] = item.split(/^ {2}- /m).map(onOneLine)
      return { text, inside }
    })
}
const onOneLine = (markdown: string): string => markdown.replaceAll(/\s+/g, ' ').trim()

export const CITATION = /`([\w./-]+\.(?:test\.tsx?|t\.sol))`(?: "((?:[^"\\]|\\.)+)")?/g

type Citation = { file: string; title: string | undefined }

/** A line of `tests/rules/shown-by/`: the file, then the title of the test after a blank, or the file alone. */
export function citationOf(line: string): Citation {
  const [file = '', ...title] = line.split(' ')
  return { file, title: title.length === 0 ? undefined : title.join(' ') }
}

export const citationsIn = (markdown: string): Citation[] =>
  [...onOneLine(markdown).matchAll(CITATION)].map(([, file = '', title]) => ({
    file,
    title: title?.replaceAll(/\\(.)/g, '$1'),
  }))

/** Titles of the tests in a file as they are written there; those of `test.each` keep their places. */
function titlesOf(file: string): Set<string> {
  const source = read(file)
  if (file.endsWith('.sol'))
    return new Set([...source.matchAll(/function ((?:test|invariant)\w*)\(/g)].map(([, name = '']) => name))
  const titles = source.matchAll(
    /(?:\b(?:test|it|describe|journey)(?:\.\w+)*|\))\(\s*(?:'((?:[^'\\\n]|\\.)*)'|`([^`]*)`)\s*,/g,
  )
  return new Set([...titles].map(([, plain, template]) => (plain ?? template ?? '').replaceAll(/\\(.)/g, '$1')))
}

/** Lists the citations of something that is not there. */
export const broken = (citations: readonly Citation[]): string[] =>
  citations.flatMap(({ file, title }) => {
    if (!existsSync(path.join(root, file))) return [file]
    return title === undefined || titlesOf(file).has(title) ? [] : [`${file}: "${title}"`]
  })
