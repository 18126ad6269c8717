import { expect, test } from 'vitest'
import { toBase, toText } from './amounts.ts'
import { readCsv } from './checks/own-files.ts'
import { isDay } from './days.ts'

test('amounts are exact in both directions', () => {
  for (const text of ['0', '1', '12.5', '-0.000000000000000001', '340282366920938463463.374607431768211455'])
    expect(toText(toBase(text))).toBe(text)
  expect(toBase('0.05', 6)).toBe(50_000n)
  expect(() => toBase('1e3')).toThrow(SyntaxError)
  expect(() => toBase('0.0000001', 6)).toThrow(SyntaxError)
})

test('days that there are', () => {
  expect([isDay('2026-11-22'), isDay('2026-02-30'), isDay('2026-1-2'), isDay('today')]).toEqual([
    true,
    false,
    false,
    false,
  ])
})

test('cells of a CSV file with quotes, commas and line breaks', () => {
  expect(readCsv('\uFEFFa,b\r\n"1,5","say ""hi""\nthere"\r\n')).toEqual([
    ['a', 'b'],
    ['1,5', 'say "hi"\nthere'],
  ])
})
