import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { applyEdit, editsOf } from './mutation.ts'
import { mutations } from './mutations.ts'

const root = join(import.meta.dirname, '..', '..', '..')

test('every mutation can be applied to the source as it is', async () => {
  expect(mutations.length).toBeGreaterThanOrEqual(30)
  expect(new Set(mutations.map(({ name }) => name)).size).toBe(mutations.length)
  for (const mutation of mutations) {
    const sources = new Map<string, string>()
    for (const edit of editsOf(mutation)) {
      sources.set(edit.file, applyEdit(sources.get(edit.file) ?? (await readFile(join(root, edit.file), 'utf8')), edit))
    }
  }
})
