import { existsSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { headless, headlessByFile } from './headless.ts'
import { root, text, tracked, under } from '../support/source-files.ts'

/** The form of documents: what a reader can rely on wherever a page is opened. */

const LINE_CHARS = 160
const ENTRY_WORDS = 80
/** All decisions together; beyond it the ones of least use go. */
const DECISION_WORDS = 11_000

/** All documents below `docs/` and the three of the root that people read first. May only become smaller. */
const ALL_WORDS = 52_200
/** Sentences that begin without a noun, by `headless.ts`. May only become smaller. */
const HEADLESS_SENTENCES = 10

const documents = tracked.filter((file) => file.endsWith('.md'))
const wordsOf = (prose: string): number => prose.split(/\s+/).filter((word) => word !== '').length

test('no line of a document outside of tables is longer than 160 characters', () => {
  const lines = documents.flatMap((file) =>
    text(file)
      .split('\n')
      .map((line, at) => ({ place: `${file}:${at + 1}`, line })),
  )
  expect(lines.length).toBeGreaterThan(1_000)
  const long = lines.filter(({ line }) => line.length > LINE_CHARS && !line.startsWith('|'))
  expect(long.map(({ place }) => place)).toEqual([])
})

test('the ten questions of CONTRIBUTING are answered by paths that exist, or by recipes of ARCHITECTURE', () => {
  const [, questions = ''] = text('CONTRIBUTING.md').split('## Ten questions of a newcomer')
  const answers = questions.split('\n').flatMap((line) => /^\| .*\? +\| (.*) \|$/.exec(line)?.[1] ?? [])
  expect(answers).toHaveLength(10)
  const paths = [...answers.join('\n').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
  expect(paths.filter((name) => !existsSync(path.join(root, name)))).toEqual([])
  const recipes = [...answers.join('\n').matchAll(/"([^"]+)"/g)].map(([, name = '']) => `**${name}.**`)
  expect(recipes.length).toBeGreaterThan(2)
  expect(recipes.filter((recipe) => !text('ARCHITECTURE.md').includes(recipe))).toEqual([])
})

test('README names every folder of the root', () => {
  const folders = [...new Set(tracked.filter((file) => file.includes('/')).map((file) => file.split('/')[0] ?? ''))]
  expect(folders.length).toBeGreaterThan(10)
  const readme = text('README.md')
  expect(folders.filter((folder) => !folder.startsWith('.') && !readme.includes(`\`${folder}/\``))).toEqual([])
})

test(`all documents have at most ${ALL_WORDS} words`, () => {
  const counted = documents.filter((file) => /^(?:docs\/|README|ARCHITECTURE|CONTRIBUTING)/.test(file))
  expect(counted.length).toBeGreaterThan(20)
  expect(counted.reduce((sum, file) => sum + wordsOf(text(file)), 0)).toBeLessThanOrEqual(ALL_WORDS)
})

test('sentences begin with a noun: what is headless becomes less', () => {
  expect(
    headless('a.ts', '/** What a look found. Of many none. */\n// Those that wait.\nconst a = 1 // Of no matter'),
  ).toEqual(['What a look found. Of many none.', 'Those that wait.'])
  expect(headless('a.md', '# What\n\nIt is so. Of two, one.\n\n- **Nobody** waits.\n- What is it?\n')).toEqual([
    'Of two, one.',
  ])
  const found = headlessByFile()
  expect(found.reduce((sum, [, count]) => sum + count, 0)).toBeLessThanOrEqual(HEADLESS_SENTENCES)
})

describe('decisions', () => {
  const folder = 'docs/decisions'
  const files = documents.filter(under(folder)).filter((file) => !file.endsWith('/README.md'))
  const entries = files.flatMap((file) =>
    text(file)
      .split(/^- /m)
      .slice(1)
      .map((entry) => entry.replace(/\n#[\s\S]*/, '')),
  )

  test('an entry has the day of its last change, a sentence in bold, and what else was considered or tried', () => {
    expect(entries.length).toBeGreaterThan(250)
    const wrong = entries.filter(
      (entry) =>
        !/^\*\*\d{4}-\d{2}-\d{2} — \S[\s\S]+?\.\*\*/.test(entry) || !/\b(?:Considered|Tried):\s+\S/.test(entry),
    )
    expect(wrong).toEqual([])
  })

  test('an entry has at most 80 words, all together at most 11,000', () => {
    expect(entries.filter((entry) => wordsOf(entry) > ENTRY_WORDS)).toEqual([])
    expect(files.reduce((sum, file) => sum + wordsOf(text(file)), 0)).toBeLessThanOrEqual(DECISION_WORDS)
  })

  test('no decision stands twice, and the index has every file', () => {
    const sentences = entries.map((entry) => /— ([\s\S]+?)\*\*/.exec(entry)?.[1]?.replaceAll(/\s+/g, ' '))
    expect(sentences.filter((sentence, at) => sentences.indexOf(sentence) !== at)).toEqual([])
    const linked = [...text(`${folder}/README.md`).matchAll(/\]\(([\w-]+\.md)\)/g)].map(
      ([, name]) => `${folder}/${name}`,
    )
    expect(linked.toSorted()).toEqual(files.toSorted())
  })
})
