import { expect, test } from 'vitest'
import { fillMessage } from './fill-message.ts'

test('a placeholder without a value is removed with the space before it', () => {
  expect(fillMessage('Up to {limit} {asset} now', { limit: '5' })).toBe('Up to 5 now')
})

test('a part in brackets is shown only when all of its values are given', () => {
  const text = 'Not enough[: {available} {asset} available]. Sorry'
  expect(fillMessage(text, { available: '1.5', asset: 'JU' })).toBe('Not enough: 1.5 JU available. Sorry')
  expect(fillMessage(text, { available: '1.5' })).toBe('Not enough. Sorry')
  expect(fillMessage(text, {})).toBe('Not enough. Sorry')
})

test('values are taken literally', () => {
  expect(fillMessage('{a} and {b}', { a: '$& {b} [x]', b: 0 })).toBe('$& {b} [x] and 0')
})
