import { text, tracked } from '../support/source-files.ts'

/**
 * Sentences that begin with a clause without a noun before it ("What a look at a lease found", "Of several with one nonce …"), so that a
 * reader learns last what the sentence is about. Some of them are whole sentences all the same; the bound counts those too.
 */
const HEADLESS = /^(?:What|Of|Those|Nobody|Who|Whoever|Whose|Whatever|Which) /

const files = tracked.filter(
  (file) =>
    /\.(?:tsx?|sol|md)$/.test(file) && !/^(?:protocol\/abi|web\/src\/texts|server\/src\/db\/tables)\//.test(file),
)

const onOneLine = (words: string): string => words.replaceAll(/\s+/g, ' ').trim()

/** The first sentence of each comment. */
const commentsOf = (source: string): string[] =>
  [
    ...[...source.matchAll(/\/\*\*?([\s\S]*?)\*\//g)].map(([, inside = '']) => inside.replaceAll(/^\s*\*+ ?/gm, '')),
    ...[...source.matchAll(/(?:^[ \t]*\/\/[^\n]*\n)+/gm)].map(([lines]) => lines.replaceAll(/^\s*\/\/\/? ?/gm, '')),
  ].map((comment) => onOneLine(comment).replace(/^@(?:notice|dev|returns?|param \w+) /, ''))

/** Every sentence outside of tables, headings and code. */
const sentencesOf = (markdown: string): string[] =>
  markdown
    .replaceAll(/```[\s\S]*?```/g, '')
    .split('\n')
    .filter((line) => !/^[|#]/.test(line))
    .join('\n')
    .split(/\n\s*\n|\n(?= *(?:[-*]|\d+\.) )/)
    .flatMap((block) => onOneLine(block.replace(/^ *(?:[-*]|\d+\.) /, '')).split(/(?<=[.:?!]) (?=[A-Z`“"*])/))
    .map((sentence) => sentence.replace(/^[*_ ]+/, ''))

export const headless = (file: string, content: string): string[] =>
  (file.endsWith('.md') ? sentencesOf(content) : commentsOf(content)).filter(
    (sentence) => HEADLESS.test(sentence) && !sentence.endsWith('?'),
  )

/** How many there are in each file that has any. */
export const headlessByFile = (): [file: string, count: number][] =>
  files.flatMap((file) => {
    const { length } = headless(file, text(file))
    return length === 0 ? [] : [[file, length] as [string, number]]
  })
