import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { commandGroups, commandNames } from './command-table.ts'
import { fillCommands } from './document.ts'

const operations = readFileSync(path.join(import.meta.dirname, '../../../../docs/operate/operations.md'), 'utf8')
/** As the formatter does not change it. */
const plain = (text: string): string => text.replaceAll(/-{3,}/g, '---').replaceAll(/[ \t]+/g, ' ')

test('docs/operate/operations.md has every command as it is (npx node scripts/write-commands.ts writes it)', () => {
  expect(commandNames.length).toBeGreaterThan(40)
  expect(plain(operations)).toBe(plain(fillCommands(operations)))
  expect(() => fillCommands('no marks')).toThrow('no marks')
})

test('every group of commands says what it is about', () => {
  const groups = new Set(commandNames.filter((name) => name.includes(' ')).map((name) => name.split(' ')[0] ?? ''))
  expect([...groups].toSorted()).toEqual(Object.keys(commandGroups).toSorted())
})
