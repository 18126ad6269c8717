import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { documents, fillFigures, placesIn, tables } from './document.ts'

const read = (file: string) => readFileSync(path.join(import.meta.dirname, '..', '..', '..', file), 'utf8')
const document = read(documents[0])

test.each(documents)('every figure of %s is what the computations say: else run `npm run examples`', (file) => {
  expect(read(file)).toBe(fillFigures(read(file)))
})

test('the documents have a place for every table', () => {
  const places = documents.flatMap((file) => placesIn(read(file)))
  expect(places.toSorted()).toEqual(Object.keys(tables).toSorted())
})

test('a figure that is not what the computations say would be found', () => {
  const wrong = document.replace(/(<!-- figures: payoffs -->[\s\S]*?\| )1,000\./, '$11,001.')
  expect(wrong).not.toBe(document)
  expect(fillFigures(wrong)).toBe(document)
  expect(() => fillFigures('<!-- figures: nothing -->\n\n<!-- end -->')).toThrow('unknown figures: nothing')
})
