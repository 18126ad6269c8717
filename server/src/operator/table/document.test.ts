import { expect, test } from 'vitest'
import { commandGroups, commandNames, definitionOf } from './command-table.ts'
import { commandRows } from './document.ts'

test('the table of commands has each that can be typed, with its role and how many sign it', () => {
  const rows = commandRows()
  expect(rows).toHaveLength(commandNames.filter((name) => definitionOf(name).isTyped).length)
  expect(rows.length).toBeGreaterThan(40)
  expect(rows).toContainEqual([
    'withdrawal end NUMBER --used-by <hash>',
    'treasurer',
    'two',
    definitionOf('withdrawal end').effect,
  ])
  expect(rows.find(([words]) => words === 'project create --collateral <asset>')).toBeDefined()
})

test('every group of commands says what it is about', () => {
  const groups = new Set(commandNames.filter((name) => name.includes(' ')).map((name) => name.split(' ')[0] ?? ''))
  expect([...groups].toSorted()).toEqual(Object.keys(commandGroups).toSorted())
})
