import { isSafePattern } from 'redos-detector'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'
import { code, text } from './support/source-files.ts'

/** Text from pages and people is read in time that grows with its length, not with the square of it. */

/** The code that runs in a browser, where a link or a pasted text is as long as somebody likes. */
const files = code.filter(
  (file) =>
    /^(?:web\/src|protocol|client)\//.test(file) && !/^(?:web\/src\/pieces|protocol\/lending\/examples)\//.test(file),
)

/** More ways than this to fail at one place are taken for no end of them. */
const MAX_SCORE = 200

/** Patterns that are safe although the search takes them for slow, or that no long text can reach; with the reason. */
const considered: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    patternsIn(text('web/src/wallet/to-wallet-error.ts'), 'to-wallet-error.ts').map((written) => [
      written,
      'reads the first 500 characters of each text of a wallet’s error',
    ]),
  ),
  [String.raw`/\{(\w+)\}/g`]: 'begins at a brace, which no later part takes: each character is looked at once',
  [String.raw`/ ?\{(\w+)\}/g`]: 'likewise; the space before adds one look',
  [String.raw`/\[([^\]]*)\]/g`]: 'reads texts of our own',
  [String.raw`/0+$/`]: 'looks at the decimals of an amount, of which there are 18',
  [String.raw`/\/+$/`]: 'looks at an address that the build is given',
  [String.raw`/Version\/(\d+\.\d+)/`]: 'begins at letters, which no later part takes',
  [String.raw`/(?:iPhone|CPU) OS (\d+)_(\d+)/`]: 'begins at letters, which no later part takes',
  [String.raw`/^[0-9][0-9.,\s'’_]*[0-9]$|^[0-9]*,[0-9]*$/`]:
    'both begin at the beginning alone, and have one part that repeats',
}

type Node = { type?: string; regex?: { pattern: string; flags: string } | null }

function patternsIn(source: string, file: string): string[] {
  const found: string[] = []
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const { type, regex } = value as Node
    if (type === 'Literal' && regex !== undefined && regex !== null) found.push(`/${regex.pattern}/${regex.flags}`)
    for (const child of Object.values(value)) visit(child)
  }
  visit(parseSync(file, source).program)
  return found
}

function isSafe(written: string): boolean {
  const [, pattern = '', flags = ''] = /^\/(.*)\/([a-z]*)$/s.exec(written) ?? []
  const options = { unicode: flags.includes('u'), caseInsensitive: flags.includes('i'), maxScore: MAX_SCORE }
  return isSafePattern(pattern, options).safe
}

const patterns = new Set(files.flatMap((file) => patternsIn(text(file), file)))

test('no regular expression takes time that grows with the square of the text', () => {
  expect(patterns.size).toBeGreaterThan(30)
  expect([...patterns].filter((written) => !(written in considered) && !isSafe(written))).toEqual([])
  expect(Object.keys(considered).filter((written) => !patterns.has(written))).toEqual([])
})

test('one that does would be found', () => {
  const slow = patternsIn(String.raw`const trim = (text: string) => text.replace(/^\/+|\/+$/g, '')`, 'some.ts')
  expect(slow).toEqual([String.raw`/^\/+|\/+$/g`])
  expect(slow.some(isSafe)).toBe(false)
})
