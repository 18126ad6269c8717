import { expect, test } from 'vitest'
import { notesOf } from '../../../scripts/release-notes.ts'
import { text, tracked } from '../support/source-files.ts'

/** `npm run release` needs this. */

const versionOf = (file: string): string => (JSON.parse(text(file)) as { version: string }).version

test('every package has the version of the whole, and CHANGELOG.md has its notes', () => {
  const version = versionOf('package.json')
  const packages = tracked.filter((file) => /^(?:tests\/)?[a-z]+\/package\.json$/.test(file))
  expect(packages.length).toBeGreaterThan(8)
  expect(packages.filter((file) => versionOf(file) !== version)).toEqual([])
  expect(notesOf(text('CHANGELOG.md'), version).length).toBeGreaterThan(100)
})

test('notes are those of the version alone, and a version without any is refused', () => {
  const changes = '# Changes\n\n## 2.0.0 — 2026-01-02\n\n- b\n\n## 1.0.0 — 2026-01-01\n\n- a\n\n## 0.1.0 — 2026-01-01\n'
  expect(notesOf(changes, '2.0.0')).toBe('- b\n')
  expect(notesOf(changes, '1.0.0')).toBe('- a\n')
  expect(() => notesOf(changes, '3.0.0')).toThrow('## 3.0.0')
  expect(() => notesOf(changes, '0.1.0')).toThrow('says nothing')
})
