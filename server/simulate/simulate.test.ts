import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bugs } from './mutations/mutations.ts'
import { editsOf, plant } from './mutations/run-mutations.ts'
import { type DatabaseSource, startDatabases } from './run/databases.ts'
import { runSeed } from './run/run-seed.ts'

describe('a few stories', () => {
  let source: DatabaseSource
  beforeAll(async () => {
    source = await startDatabases()
  })
  afterAll(() => source[Symbol.asyncDispose]())

  test('end well', async () => {
    const figures = { payments: 0, payouts: 0, restarts: 0 }
    for (let seed = 1; seed <= 5; seed++) {
      const verdict = await runSeed(source, seed)
      expect([seed, verdict.findings]).toEqual([seed, []])
      for (const name of ['payments', 'payouts', 'restarts'] as const) figures[name] += verdict.figures[name]
    }
    // A story in which nothing happens ends well, too.
    expect(figures.payments).toBeGreaterThan(50)
    expect(figures.payouts).toBeGreaterThan(5)
    expect(figures.restarts).toBeGreaterThan(2)
  })

  test('a seed repeats exactly, and another one does not', async () => {
    const [first, again, other] = [await runSeed(source, 5), await runSeed(source, 5), await runSeed(source, 6)]
    expect(again.hash).toBe(first.hash)
    expect(again.figures).toEqual(first.figures)
    expect(other.hash).not.toBe(first.hash)
  })
})

test('every bug of the list fits the code as it is', async () => {
  expect(bugs.length).toBeGreaterThanOrEqual(30)
  expect(new Set(bugs.map(({ bug }) => bug)).size).toBe(bugs.length)
  for (const bug of bugs) {
    const files = new Map<string, string>()
    for (const edit of editsOf(bug)) {
      const path = join(import.meta.dirname, '..', 'src', edit.file)
      files.set(path, plant(files.get(path) ?? (await readFile(path, 'utf8')), edit))
    }
  }
})
