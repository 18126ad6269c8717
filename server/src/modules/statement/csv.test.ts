import { expect, test } from 'vitest'
import { csvLines } from './csv.ts'

test('cells are joined by commas, and every line ends with CRLF', () => {
  expect(csvLines([])).toBe('')
  expect(
    csvLines([
      ['a', '', 'c'],
      ['1', '2', '3'],
    ]),
  ).toBe('a,,c\r\n1,2,3\r\n')
})

test.each([
  ['a,b', '"a,b"'],
  ['a"b', '"a""b"'],
  ['""', '""""""'],
  ['a\nb', '"a\nb"'],
  ['a\rb', '"a\rb"'],
  ['a b', 'a b'],
  ['充值', '充值'],
])('%j is quoted where it must be: %j', (text, cell) => {
  expect(csvLines([[text]])).toBe(`${cell}\r\n`)
})

test.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1+1', "'-1+1"],
  ['-1.', "'-1."],
  ['-1\n', '"\'-1\n"'],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['\r=1', '"\'\r=1"'],
  ['\n=1', '"\'\n=1"'],
  ['=HYPERLINK("x","y")', '"\'=HYPERLINK(""x"",""y"")"'],
])('%j is no formula: %j', (text, cell) => {
  expect(csvLines([[text]])).toBe(`${cell}\r\n`)
})

test('a plain number keeps its sign', () => {
  expect(csvLines([['-1', '-0.000000000000000001', '12.5', 'a=b']])).toBe('-1,-0.000000000000000001,12.5,a=b\r\n')
})
