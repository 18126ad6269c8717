import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { fillFigures, placesIn, tables } from './document.ts'

const file = path.join(import.meta.dirname, '..', '..', '..', 'docs', 'understand', 'lending.md')
const document = readFileSync(file, 'utf8')

test('every figure of docs/understand/lending.md is what the computations say: else run `npm run examples`', () => {
  expect(document).toBe(fillFigures(document))
})

test('the document has a place for every table', () => {
  expect(placesIn(document).toSorted()).toEqual(Object.keys(tables).toSorted())
})

test('a figure that is not what the computations say would be found', () => {
  const wrong = document.replace(/(<!-- figures: payoffs -->[\s\S]*?\| )1,000\./, '$11,001.')
  expect(wrong).not.toBe(document)
  expect(fillFigures(wrong)).toBe(document)
  expect(() => fillFigures('<!-- figures: nothing -->\n\n<!-- end -->')).toThrow('unknown figures: nothing')
})
